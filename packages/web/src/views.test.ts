import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, openBrowser, openPage, SKIPPED, TestServer } from './testing/page.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const LEVEL_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds, one line each. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async (tags) => {
    // biome-ignore lint/suspicious/noExplicitAny: axe is put there by the line above
    const { violations } = await (window as any).axe.run(document, { runOnly: { type: 'tag', values: tags } })
    return violations.map(
      ({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        `${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary}`,
    )
  }, LEVEL_AA)
}

describe.skipIf(!CHROMIUM)(`views${SKIPPED}`, () => {
  let server: TestServer
  let browser: Browser

  beforeAll(async () => {
    server = await TestServer.start()
    await server.dive(400)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  const VIEWS: readonly (readonly [string, string, (page: Page) => Promise<unknown>])[] = [
    ['overview', '#/', (page) => page.getByRole('heading', { name: 'Simulated dive' }).waitFor()],
    ['live', '#/systems/dive', (page) => page.getByRole('heading', { name: 'Channels' }).waitFor()],
    ['review', '#/systems/dive/review', (page) => page.getByRole('button', { name: 'Right' }).waitFor()],
    [
      'history',
      '#/systems/dive/history',
      (page) => page.getByRole('cell', { name: 'simulated expert' }).first().waitFor(),
    ],
    ['moment', '#/systems/dive/at/300', (page) => page.getByText('State hash').waitFor()],
    ['sign-in', '#/sign-in', (page) => page.getByLabel('Access token').waitFor()],
    ['nothing', '#/nowhere/at/all', (page) => page.getByText('There is nothing here').waitFor()],
  ]
  const SCREENS = [
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 390 },
  ] as const

  it.each(SCREENS)(
    'axe finds nothing at level AA on any view: $colorScheme, $width px',
    async ({ colorScheme, width }) => {
      const options = { colorScheme, viewport: { width, height: 900 }, bypassCSP: true }
      const { page, context, errors } = await openPage(browser, server, '#/', options)
      for (const [name, hash, ready] of VIEWS) {
        await page.evaluate((address) => {
          location.hash = address
        }, hash)
        await ready(page)
        expect(await violations(page), name).toEqual([])
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow, `${name} is wider than the screen`).toBe(0)
      }
      expect(errors).toEqual([])
      await context.close()
    },
  )

  it('axe finds nothing in the dialog of keys, while correcting, and when the connection is lost', async () => {
    const { page, context } = await openPage(browser, server, '#/systems/dive/review', { bypassCSP: true })
    await page.getByRole('button', { name: 'Right' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('y')
    await page.getByRole('region', { name: 'Your last answer' }).waitFor()
    await page.keyboard.press('u')
    await page.getByText('Correcting: you said right').waitFor()
    expect(await violations(page)).toEqual([])
    await context.setOffline(true)
    await page.getByRole('alert').filter({ hasText: 'Connection lost' }).waitFor()
    expect(await violations(page)).toEqual([])
    await context.close()
  })

  it('a link to a moment opens the state of that moment, rebuilt from the log', async () => {
    const at = 321
    const state = await server.call('GET', `/v1/systems/dive/state?at=${at}`)
    const { page, context } = await openPage(browser, server, `#/systems/dive/at/${at}`)
    await page.getByRole('heading', { name: `After record ${at}` }).waitFor()
    await page.getByText(state.stateHash).waitFor()
    expect(await page.locator('.level-large').textContent()).toBe(
      state.system.configuration.levels[state.system.likely],
    )
    expect(await page.locator('tr[aria-current] a').textContent()).toBe(String(at))
    await page.getByRole('link', { name: 'Earlier' }).click()
    await page.getByRole('heading', { name: `After record ${at - 100}` }).waitFor()
    expect(page.url()).toContain(`#/systems/dive/at/${at - 100}`)
    await context.close()
  })

  it('the history filters by kind and person, jumps to a record, and exports what it shows', async () => {
    await server.call('PATCH', '/v1/systems/dive', { title: 'Dive 7' })
    const { page, context } = await openPage(browser, server, '#/systems/dive/history')
    await page.getByRole('cell', { name: 'simulated expert' }).first().waitFor()
    await page.getByRole('checkbox', { name: 'answer' }).uncheck()
    await page.getByRole('cell', { name: 'simulated expert' }).first().waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'simulator' }).waitFor()
    await page.getByLabel('Who').fill('local')
    await page.getByRole('cell', { name: 'simulator' }).waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: '{"title":"Dive 7"}' }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const csv = readFileSync(await download.path(), 'utf8').split('\r\n')
    expect(csv[0]).toBe('record,time,kind,who,details,hash')
    expect(csv).toHaveLength(2)
    expect(csv[1]).toContain('configuration,local,"{""title"":""Dive 7""}"')
    await server.call('PATCH', '/v1/systems/dive', { title: 'Simulated dive' })
    await page.getByLabel('Go to').fill('200')
    await page.getByRole('button', { name: 'Go', exact: true }).click()
    await page.getByRole('heading', { name: 'After record 200' }).waitFor()
    await context.close()
  })

  it('the live view follows, stands still, goes back in time and shows chosen channels', async () => {
    const { page, context, errors } = await openPage(browser, server, '#/systems/dive')
    await page.getByRole('img', { name: 'depth over time' }).waitFor()
    expect(await page.getByRole('img', { name: /over time$/ }).count()).toBeGreaterThanOrEqual(24)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Follow' }).waitFor()
    const shown = () => page.locator('.window-words').textContent()
    const before = await shown()
    await page.getByRole('button', { name: 'Back in time' }).click()
    await expect.poll(shown).not.toBe(before)
    await page.getByRole('button', { name: 'Follow' }).click()
    await expect.poll(shown).toBe('following')
    await page.getByText('Choose channels').first().click()
    await page.getByRole('checkbox', { name: 'depth', exact: true }).uncheck()
    await page.getByRole('img', { name: 'depth over time' }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('23 of 24 shown').waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('shows the course of accuracy and weights, misses, false alarms and what an answer changed, as reported', async () => {
    const { page, context, errors } = await openPage(browser, server, '#/')
    const weights = [0.7, ...Array(9).fill(0.3 / 9)]
    await page.route('**/v1/systems/dive', async (route) => {
      const detail = await (await route.fetch()).json()
      const counts = { ...detail.counts, misses: 12, falseAlarms: 34 }
      await route.fulfill({ json: { ...detail, counts, weights, restarts: 2 } })
    })
    const point = { accuracy: 0.9, recentAccuracy: 0.95, ultimate: 0.97, bestExpertAccuracy: 0.93, value: 0.5, weights }
    const points = [1, 2, 3].map((i) => ({ ...point, sequence: i, time: 1_700_000_000_000 + 1000 * i }))
    await page.route('**/v1/systems/dive/progress', (route) => route.fulfill({ json: { points } }))
    await page.route('**/v1/systems/dive/feedback', async (route) => {
      const receipt = await (await route.fetch()).json()
      const effect = { accuracy: [0.9, 0.91], weights: [weights, [0.72, 0.28 - 0.3, ...weights.slice(2)]] }
      await route.fulfill({ json: { ...receipt, effect } })
    })
    await page.getByRole('link', { name: /Simulated dive/ }).click()
    await page.getByRole('img', { name: 'Weights of the experts over time' }).waitFor()
    const experts = page.getByRole('region', { name: 'Weight of each expert' }).getByRole('listitem')
    expect(await experts.first().textContent()).toBe('Expert 170.0 %')
    const performance = page.getByRole('region', { name: 'How good it is' })
    expect(await performance.textContent()).toMatch(/misses12.*false alarms34.*weight restarts2/)
    expect(await performance.getByRole('listitem').allTextContents()).toContain(`Best expert${await best()} %`)
    await page
      .getByRole('link', { name: /^Review/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Right' }).click()
    const last = page.getByRole('region', { name: 'Your last answer' })
    await expect
      .poll(() => last.textContent())
      .toContain('accuracy 90.00 % → 91.00 %; expert 2: −5.3 points of weight; expert 1: +2.0')
    expect(errors).toEqual([])
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()

    /** The newest point is the server's own word. */
    async function best(): Promise<string> {
      return (100 * (await server.call('GET', '/v1/systems/dive/guarantee')).bestExpertAccuracy).toFixed(1)
    }
  })

  it('the theme follows the device until it is chosen, and the choice is kept', async () => {
    const { page, context } = await openPage(browser, server, '#/', { colorScheme: 'dark' })
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
    await page.getByRole('button', { name: 'Theme: as the device' }).click()
    expect(await theme()).toBe('light')
    await page.reload()
    expect(await theme()).toBe('light')
    await page.getByRole('button', { name: 'Theme: light' }).click()
    await page.getByRole('button', { name: 'Theme: dark' }).click()
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(theme).toBe('light')
    await context.close()
  })

  it('the whole bundle is at most 120 kB after gzip', () => {
    const dist = join(import.meta.dirname, '../dist')
    const files = globSync(['**/*.html', '**/*.js', '**/*.css', '**/*.svg'], { cwd: dist })
    const bytes = files.map((file) => gzipSync(readFileSync(join(dist, file))).length)
    expect(files.length).toBeGreaterThanOrEqual(4)
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(120_000)
  })
})
