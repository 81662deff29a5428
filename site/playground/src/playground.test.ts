import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { sea } from '@pb-oel/core/streams'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPlayground } from '../../build/build-playground.ts'
import {
  accessibilityProblems,
  CHROMIUM,
  DESKTOP,
  openBrowser,
  openOffline,
  overflows,
  PHONE,
  SKIPPED,
} from '../../testing/browser.ts'
import { drop, figureOf, runToEnd } from '../../testing/playground-page.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** The Skoltech anomaly benchmark, where somebody has it: 37,401 samples. */
const SKAB = process.env.PB_OEL_SKAB
const folder = mkdtempSync(join(tmpdir(), 'pb-oel-playground-'))
const site = join(folder, 'site')
const address = pathToFileURL(join(site, 'index.html')).href
let browser: Browser

beforeAll(async () => {
  await buildPlayground(site)
  if (CHROMIUM) browser = await openBrowser()
})

afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true })
})

/** What the copied command prints with --json, run as it was copied. */
function commandLine(command: string, cwd: string): { accuracy: number; misses: number } {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain)
  expect(words.slice(0, 2)).toEqual(['npx', 'pb-oel'])
  const main = join(ROOT, 'packages/cli/src/main.ts')
  const output = execFileSync(process.execPath, [main, ...words.slice(2), '--json'], { cwd, encoding: 'utf8' })
  return JSON.parse(output).runs[0]
}

/** A plant's file as people have it: a column of times, some values missing, words for levels in the middle. */
function plantFile(): Buffer {
  const rows = ['time,flow,state,pressure,level of oil']
  let t = 0
  for (const { x, level } of sea({ samples: 2000, seed: 4 })) {
    const time = new Date(Date.UTC(2026, 0, 1) + 1000 * t++).toISOString()
    rows.push([time, t % 50 === 0 ? '' : x[0], level === 1 ? 'fault' : 'normal', x[1], x[2]].join(','))
  }
  return gzipSync(rows.join('\n'))
}

describe.skipIf(!CHROMIUM)(`the playground${SKIPPED}`, () => {
  it('loads at most 200 kB, packed, and nothing from the network', () => {
    const files = readdirSync(site, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const sizes = files.map(({ parentPath, name }) => gzipSync(readFileSync(join(parentPath, name))).length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000)
  })

  it('gives the figures of the command line on the dive', async () => {
    const { page, context, errors } = await openOffline(browser, `${address}#stream=dive%3Asamples%3D10000`)
    await runToEnd(page)
    const expected = commandLine(await page.getByTestId('share').innerText(), folder)
    const score = page.getByTestId('score-0')
    expect(await score.getByTestId('accuracy').innerText()).toBe(`${(100 * expected.accuracy).toFixed(2)} %`)
    expect(await figureOf(page, 'Misses')).toBe(String(expected.misses))
    expect(await score.innerText()).toMatch(/Guaranteed: at least [\d.]+ %/)
    expect(await page.locator('figure.channel').count()).toBe(24)
    expect(errors).toEqual([])
    await context.close()
  })

  it('reads a dropped file in gzip, with columns left out, and exports it for the command line', async () => {
    const { page, context, errors } = await openOffline(browser, address, { acceptDownloads: true })
    await drop(page, 'plant.csv.gz', plantFile())
    await page.getByText('3 channels, level in “state”, 1 left out').waitFor()
    expect(await page.getByLabel('Use time as').inputValue()).toBe('dropped')
    await page.getByLabel('Use level of oil as').selectOption('dropped')
    await runToEnd(page)
    expect(await page.locator('figure.channel').count()).toBe(2)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save plant-mapped.csv' }).click()
    await (await download).saveAs(join(folder, 'plant-mapped.csv'))
    const { accuracy } = commandLine(await page.getByTestId('share').innerText(), folder)
    expect(await page.getByTestId('accuracy').innerText()).toBe(`${(100 * accuracy).toFixed(2)} %`)
    expect(await page.evaluate(() => location.hash)).toContain('file=plant.csv.gz&level=state&drop=time')
    expect(errors).toEqual([])
    await context.close()
  })

  it.skipIf(!SKAB)(
    'runs on skab.csv.gz as the command line does (soak: 37,401 samples; PB_OEL_SKAB names the file, which is not in the repository)',
    async () => {
      const file = readFileSync(SKAB as string)
      const { page, context, errors } = await openOffline(browser, address, { acceptDownloads: true })
      await drop(page, 'skab.csv.gz', file)
      await page.getByText('8 channels, level in “label”').waitFor()
      await runToEnd(page, 120_000)
      writeFileSync(join(folder, 'skab.csv.gz'), file)
      const { accuracy } = commandLine(await page.getByTestId('share').innerText(), folder)
      expect(await page.getByTestId('accuracy').innerText()).toBe(`${(100 * accuracy).toFixed(2)} %`)
      expect(await accessibilityProblems(page)).toEqual([])
      expect(errors).toEqual([])
      await context.close()
    },
  )

  it('says what is wrong with a file', async () => {
    const { page, context } = await openOffline(browser, `${address}#file=x.csv&level=b`)
    const path = join(folder, 'x.csv')
    writeFileSync(path, 'a,b\n1,0\n2,0\n3,0\n')
    await page.getByLabel('CSV file', { exact: true }).setInputFiles(path)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'x.csv: only one level, "0"' }).waitFor()
    await context.close()
  })

  it('compares two methods from a link, with options, and gives the link back', async () => {
    const link = '#stream=sea%3Asamples%3D3000&method=pb-oel&method.c=0.2&against=no-change&rho=0.1&wrong=0.1'
    const { page, context, errors } = await openOffline(browser, `${address}${link}`)
    await runToEnd(page)
    const commands = (await page.getByTestId('share').innerText()).split('\n')
    expect(commands).toHaveLength(2)
    for (const [i, command] of commands.entries()) {
      const { accuracy } = commandLine(command, folder)
      expect(await page.getByTestId(`score-${i}`).getByTestId('accuracy').innerText()).toBe(
        `${(100 * accuracy).toFixed(2)} %`,
      )
    }
    expect(await page.evaluate(() => location.hash)).toBe(link)
    expect(errors).toEqual([])
    await context.close()
  })

  it('the copied program gives the same accuracy', async () => {
    const { page, context } = await openOffline(browser, `${address}#stream=sea%3Asamples%3D2000&rho=0.2&delay=20`)
    await runToEnd(page)
    await page.getByText('TypeScript', { exact: true }).click()
    const program = await page.getByTestId('share').innerText()
    // Inside the repository, so that package names resolve as for any user.
    const place = mkdtempSync(join(ROOT, 'test', '.examples-'))
    try {
      writeFileSync(join(place, 'run.ts'), program)
      const output = execFileSync(process.execPath, [join(place, 'run.ts')], { encoding: 'utf8' })
      const accuracy = Number(/pb-oel (0\.\d+)/.exec(output)?.[1])
      expect(await page.getByTestId('accuracy').innerText()).toBe(`${(100 * accuracy).toFixed(2)} %`)
    } finally {
      rmSync(place, { recursive: true })
    }
    await context.close()
  })

  it('asks the person in front of it, and takes keys for answers', async () => {
    const { page, context, errors } = await openOffline(browser, `${address}#by=me&every=20&others=false`)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    for (const [i, key] of ['y', 'n', '2', 's', 'Enter'].entries()) {
      await page.getByText(`sample ${20 * (i + 1)}`, { exact: true }).waitFor()
      await page.getByRole('heading', { name: 'Is this right?' }).click()
      await page.keyboard.press(key)
    }
    await page.getByText('sample 120', { exact: true }).waitFor()
    expect(await figureOf(page, 'Answers')).toBe('4')
    await page.getByRole('button', { name: 'Wrong' }).click()
    await page.getByText('sample 140', { exact: true }).waitFor()
    expect(await figureOf(page, 'Answers')).toBe('5')
    expect(errors).toEqual([])
    await context.close()
  })

  it.each([DESKTOP, PHONE])('axe finds nothing in both themes: $width px', async (viewport) => {
    const link = '#stream=dive%3Asamples%3D2000&against=arf'
    const { page, context } = await openOffline(browser, `${address}${link}`, { viewport })
    const expectSound = async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await accessibilityProblems(page, colorScheme === 'dark'), colorScheme).toEqual([])
      }
      expect(await overflows(page)).toBe(false)
    }
    await expectSound()
    await runToEnd(page)
    for (const summary of await page.locator('summary').all()) await summary.click()
    await expectSound()
    await page.getByText('I answer', { exact: true }).click()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('heading', { name: 'Is this right?' }).waitFor()
    await expectSound()
    await context.close()
  })

  it('is worked by keyboard alone', async () => {
    const { page, context } = await openOffline(browser, `${address}#stream=sea%3Asamples%3D500`)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('500 of 500 samples').waitFor()
    await context.close()
  })
})
