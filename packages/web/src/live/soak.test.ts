import { describe, expect, it } from 'vitest'
import { CHROMIUM, openBrowser, openPage, pause, SKIPPED, TestServer } from '../testing/page.ts'

const SECONDS = Number(process.env.PB_OEL_SOAK_SECONDS ?? 300)
const SLICE = 30
const wanted = process.env.PB_OEL_SOAK === '1'
const why = wanted ? SKIPPED : ' (soak: five minutes; PB_OEL_SOAK=1 runs it)'

describe.skipIf(!wanted || !CHROMIUM)(`under load${why}`, () => {
  it(
    '24 channels at 100 samples per second: at least 50 frames per second, and a heap that stays flat',
    async () => {
      const server = await TestServer.start()
      const browser = await openBrowser()
      try {
        // All 24 charts are in view at this size.
        const viewport = { width: 2560, height: 1440 }
        const { page, context } = await openPage(browser, server, '#/systems/dive', { viewport })
        // A little more than 100, so that a busy machine still delivers that many.
        await server.call('PATCH', '/v1/simulation', { speed: 120, answers: 0.8 })
        await page.getByRole('img', { name: 'depth over time' }).waitFor()
        const devtools = await context.newCDPSession(page)
        await devtools.send('HeapProfiler.enable')
        await page.evaluate(() => {
          const count = () => {
            counter.frames++
            requestAnimationFrame(count)
          }
          const counter = { frames: 0 }
          Object.assign(window, { counter })
          requestAnimationFrame(count)
        })
        const look = async () => {
          await devtools.send('HeapProfiler.collectGarbage')
          const { frames, at } = await page.evaluate(() => ({
            frames: (window as unknown as { counter: { frames: number } }).counter.frames,
            at: performance.now(),
          }))
          const { usedSize } = await devtools.send('Runtime.getHeapUsage')
          const { samples } = await server.call('GET', '/v1/systems/dive')
          return { frames, at, megabytes: usedSize / 1e6, samples }
        }
        await pause(5_000)
        const slices: { fps: number; megabytes: number; rate: number }[] = []
        let last = await look()
        for (let second = 0; second < SECONDS; second += SLICE) {
          await pause(SLICE * 1000)
          const now = await look()
          const seconds = (now.at - last.at) / 1000
          slices.push({
            fps: (now.frames - last.frames) / seconds,
            megabytes: now.megabytes,
            rate: (now.samples - last.samples) / seconds,
          })
          console.log(
            `${(second + SLICE).toString().padStart(4)} s  ${describeSlice(slices.at(-1) as (typeof slices)[0])}`,
          )
          last = now
        }
        const fps = slices.map((slice) => slice.fps)
        const heap = slices.map((slice) => slice.megabytes)
        expect(Math.min(...fps)).toBeGreaterThanOrEqual(50)
        expect(mean(slices.map(({ rate }) => rate))).toBeGreaterThanOrEqual(100)
        // The first half against the second: what grows without end would show.
        const half = Math.floor(heap.length / 2)
        expect(mean(heap.slice(half)) - mean(heap.slice(0, half))).toBeLessThan(3)
      } finally {
        await browser.close()
        await server.stop()
      }
    },
    (SECONDS + 120) * 1000,
  )
})

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

function describeSlice({ fps, megabytes, rate }: { fps: number; megabytes: number; rate: number }): string {
  return `${fps.toFixed(1)} frames/s, heap ${megabytes.toFixed(2)} MB, ${rate.toFixed(0)} samples/s`
}
