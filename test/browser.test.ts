import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createAssessor, dive, FeedbackModel, PbOel } from '@pb-oel/core'
import { firstOfEachLevel } from '@pb-oel/lab'
import { chromium } from 'playwright-core'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'
import { CHROMIUM, CHROMIUM_SHELL } from './support/needs.ts'

const RHO = 0.05

/** The core in one file, as a page loads it. */
async function coreInOneFile(): Promise<string> {
  const bundle = await rolldown({ input: join(import.meta.dirname, '../packages/core/src/index.ts') })
  return (await bundle.generate({ codeSplitting: false })).output[0].code
}

/** The state hash after a whole dive in this process. */
function inNode(modes: boolean[]): string {
  const stream = dive()
  const assessor = createAssessor('pb-oel', {
    channels: 24,
    levels: 3,
    seed: 1,
    rho: RHO,
    horizon: 30_000,
    warmUp: firstOfEachLevel(stream),
  })
  let t = 0
  for (const { x, level: truth } of stream) {
    const full = modes[t++]
    const { id, level } = assessor.assess(x, full ? 'full' : 'partial')
    assessor.learn(
      id,
      full ? { kind: 'label', level: truth } : level === truth ? { kind: 'confirm' } : { kind: 'reject' },
    )
  }
  return createHash('sha256').update(assessor.snapshot()).digest('hex')
}

const name = CHROMIUM ? '' : ' (needs chromium)'
it.skipIf(!CHROMIUM)(`30,000 samples of a dive give the same state hash in Node and in chromium${name}`, async () => {
  const reviewer = new FeedbackModel({ levels: 3, rho: RHO, seed: 1 })
  const modes = Array.from({ length: 30_000 }, () => reviewer.mode() === 'full')
  const warmUp = firstOfEachLevel(dive())
  const core = await coreInOneFile()
  const server = createServer(({ url }, response) => {
    if (url === '/') response.setHeader('content-type', 'text/html').end('<!doctype html><title>core</title>')
    else if (url === '/core.js') response.setHeader('content-type', 'text/javascript').end(core)
    else response.writeHead(404).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const flags = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  const browser = await chromium.launch({ executablePath: CHROMIUM_SHELL, args: flags })
  try {
    const page = await browser.newPage()
    // A busy machine may take long; what never comes fails by the limit of the test.
    page.setDefaultTimeout(0)
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const load = async () => {
      await page.goto(address)
      await page.evaluate("import('/core.js').then((core) => Object.assign(globalThis, { core }) && 1)")
    }
    // Chromium drops requests when a network appears or goes, as in the tests of clusters; then they are made again.
    await load().catch(load).catch(load)
    const hash = await page.evaluate(
      async ({ modes, warmUp, rho }) => {
        const { core } = globalThis as unknown as { core: typeof import('@pb-oel/core') }
        const assessor = core.createAssessor('pb-oel', {
          channels: 24,
          levels: 3,
          seed: 1,
          rho,
          horizon: 30_000,
          warmUp,
        })
        let t = 0
        for (const { x, level: truth } of core.dive()) {
          const full = modes[t++]
          const { id, level } = assessor.assess(x, full ? 'full' : 'partial')
          assessor.learn(id, full ? { kind: 'label', level: truth } : { kind: level === truth ? 'confirm' : 'reject' })
        }
        const digest = await crypto.subtle.digest('SHA-256', assessor.snapshot() as BufferSource)
        return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
      },
      { modes, warmUp, rho: RHO },
    )
    expect(hash).toBe(inNode(modes))
  } finally {
    await browser.close()
    server.close()
  }
})

it('the hash of a state changes with the state', () => {
  const assessor = new PbOel({ channels: 24, levels: 3 })
  const before = assessor.snapshot()
  assessor.assess(new Float64Array(24))
  expect(Buffer.compare(before, assessor.snapshot())).not.toBe(0)
})
