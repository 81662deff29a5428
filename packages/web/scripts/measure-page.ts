// What the page does under load, from the real server: node packages/web/scripts/measure-page.ts [--skab skab.csv.gz]
// Prints one JSON document: frames per second at 100 samples per second with 24 charts in view; the JavaScript heap
// over an hour of the dive (72,000 samples) as fast as 50 times its usual speed; and a system made from a file.
import { loadavg } from 'node:os'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { thisMachine } from '../../lab/src/machine.ts'
import { openBrowser, openPage, pause, TestServer } from '../src/testing/page.ts'

const { values } = parseArgs({ options: { skab: { type: 'string' } } })
/** Seconds of one slice, and slices at 100 samples per second. */
const [SLICE, SLICES] = [10, 6]
/** An hour of the dive at 20 samples per second, and 50 times that speed. */
const [HOUR, FAST] = [72_000, 1_000]
/** A machine that cannot keep up is watched for so many slices. */
const MOST_SLICES = 30

interface Slice {
  framesPerSecond: number
  heapMegabytes: number
  samplesPerSecond: number
}

async function look(page: Page, devtools: CDPSession, server: TestServer) {
  await devtools.send('HeapProfiler.collectGarbage')
  const { frames, at } = await page.evaluate(() => ({
    frames: (window as unknown as { counter: { frames: number } }).counter.frames,
    at: performance.now(),
  }))
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  const { samples } = await server.call('GET', '/v1/systems/dive')
  return { frames, at, megabytes: usedSize / 1e6, samples }
}

/** Slices of the live view while the dive goes on at a speed, until there are enough. */
async function watch(
  browser: Browser,
  server: TestServer,
  speed: number,
  enough: (slices: Slice[], samples: number) => boolean,
) {
  // All 24 charts are in view at this size.
  const { page, context } = await openPage(browser, server, '#/systems/dive', {
    viewport: { width: 2560, height: 1440 },
  })
  await server.call('PATCH', '/v1/simulation', { speed, answers: 0.8 })
  await page.getByRole('img', { name: 'depth over time' }).waitFor()
  const devtools = await context.newCDPSession(page)
  await devtools.send('HeapProfiler.enable')
  await page.evaluate(() => {
    const counter = { frames: 0 }
    const count = () => {
      counter.frames++
      requestAnimationFrame(count)
    }
    Object.assign(window, { counter })
    requestAnimationFrame(count)
  })
  await pause(5_000)
  const slices: Slice[] = []
  let last = await look(page, devtools, server)
  const first = last.samples
  do {
    await pause(SLICE * 1000)
    const now = await look(page, devtools, server)
    const seconds = (now.at - last.at) / 1000
    slices.push({
      framesPerSecond: rounded((now.frames - last.frames) / seconds),
      heapMegabytes: rounded(now.megabytes),
      samplesPerSecond: rounded((now.samples - last.samples) / seconds),
    })
    console.error(JSON.stringify(slices.at(-1)))
    last = now
  } while (!enough(slices, last.samples - first))
  await server.call('PATCH', '/v1/simulation', { speed: 0 })
  await context.close()
  return { slices, samples: last.samples - first }
}

/** A system made from a labelled file in the page: how many things a person does, and how long until it is live. */
async function fromFile(browser: Browser, server: TestServer, file: string) {
  const { page, context } = await openPage(browser, server, '#/')
  const begin = performance.now()
  let actions = 0
  const act = async (step: Promise<unknown>) => {
    actions++
    await step
  }
  await act(page.getByRole('link', { name: 'New system' }).click())
  await act(page.getByLabel('CSV file', { exact: true }).setInputFiles(file))
  await act(page.getByRole('button', { name: 'Create the system' }).click({ timeout: 60_000 }))
  await page
    .getByRole('status')
    .filter({ hasText: /^Playing .+: row/ })
    .waitFor({ timeout: 1_800_000 })
  await page.getByRole('heading', { name: 'Level now' }).waitFor()
  const seconds = rounded((performance.now() - begin) / 1000)
  const system = /systems\/([^/?]+)/.exec(page.url())?.[1] as string
  const { samples, trained, accuracy } = await server.call('GET', `/v1/systems/${system}`)
  await context.close()
  return { file: basename(file), actions, seconds, samples, trained, accuracy }
}

const rounded = (value: number): number => Math.round(value * 10) / 10

const server = await TestServer.start()
const browser = await openBrowser()
try {
  const loadBefore = rounded(loadavg()[0])
  const skab = values.skab ? await fromFile(browser, server, values.skab) : undefined
  if (skab) console.error(JSON.stringify(skab))
  const usual = await watch(browser, server, 120, (slices) => slices.length >= SLICES)
  const fast = await watch(browser, server, FAST, (slices, samples) => samples >= HOUR || slices.length >= MOST_SLICES)
  const machine = { ...thisMachine(), loadBefore, loadAfter: rounded(loadavg()[0]) }
  const command = `node packages/web/scripts/measure-page.ts${skab ? ` --skab ${skab.file}` : ''}`
  const date = new Date().toISOString().slice(0, 10)
  console.log(JSON.stringify({ command, date, machine, usual, fast, ...(skab && { skab }) }, null, 2))
} finally {
  await browser.close()
  await server.stop()
}
