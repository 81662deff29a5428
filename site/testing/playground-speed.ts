// How fast the playground is in headless chromium: `node site/testing/playground-speed.ts` builds it, runs the dive a
// few times, and prints one JSON document with the samples per second of each run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { thisMachine } from '../../packages/lab/src/machine.ts'
import { buildPlayground } from '../build/build-playground.ts'
import { openBrowser, openOffline } from './browser.ts'
import { figureOf, runToEnd } from './playground-page.ts'

const RUNS = 5
const WANTED = 8000

const folder = mkdtempSync(join(tmpdir(), 'pb-oel-speed-'))
const browser = await openBrowser()
try {
  await buildPlayground(folder)
  const { page } = await openOffline(browser, pathToFileURL(join(folder, 'index.html')).href)
  const samplesPerSecond: number[] = []
  for (let i = 0; i < RUNS; i++) {
    await runToEnd(page, 120_000)
    samplesPerSecond.push(Number((await figureOf(page, 'Speed')).replaceAll(',', '')))
    console.error(`run ${i + 1} of ${RUNS}: ${samplesPerSecond[i]} samples per second`)
  }
  const best = Math.max(...samplesPerSecond)
  const document = {
    command: 'node site/testing/playground-speed.ts',
    machine: thisMachine(),
    browser: `chromium ${browser.version()}, headless`,
    stream: 'dive',
    method: 'pb-oel',
    samplesPerSecond,
    best,
  }
  console.log(JSON.stringify(document, null, 2))
  if (best < WANTED) console.error(`below ${WANTED} samples per second: a busy machine, or a slower playground`)
  process.exitCode = best < WANTED ? 1 : 0
} finally {
  await browser.close()
  rmSync(folder, { recursive: true })
}
