import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../testing/axe.ts'
import { CHROMIUM, openBrowser, openPage, SKIPPED, TestServer } from '../testing/page.ts'

const CHANNELS = ['depth', 'oxygen', 'humidity', 'noise']
const PLANT = {
  ...{ id: 'plant', title: 'Plant 7', channels: CHANNELS, levels: ['I safe', 'II unsafe'], units: { oxygen: '%' } },
  alarm: { level: 1, raiseAfter: 0, clearBelow: 1, clearAfter: 0 },
}

describe.skipIf(!CHROMIUM)(`why${SKIPPED}`, () => {
  let server: TestServer
  let browser: Browser
  let sent = 0

  /** Samples whose cause is low while the others wander, each answered by the true level. */
  async function episode(cause: number, samples: number): Promise<void> {
    for (let i = 0; i < samples; i++, sent++) {
      const values = CHANNELS.map((_, c) => Math.sin(sent / 7 + 9 * c) - (c === cause ? 6 : 0))
      const { assessment } = await server.call('POST', '/v1/systems/plant/samples', { values })
      const answer = { assessment, kind: 'label', level: cause >= 0 ? 1 : 0, by: 'tester' }
      if (i < 8) await server.call('POST', '/v1/systems/plant/feedback', answer)
    }
  }

  beforeAll(async () => {
    server = await TestServer.start()
    await server.call('POST', '/v1/systems', PLANT)
    for (let n = 0; n < 12; n++) await episode(n % 2 === 0 ? -1 : n % 4 === 1 ? 0 : 1, 10)
    await episode(-1, 14)
    // The alarm that the tests ask about: oxygen is low.
    await episode(1, 12)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  const first = (page: Page) => page.locator('.reason-list li').first().locator('.reason-name')
  const marked = (page: Page) => page.locator('.channel.marked .channel-name')

  it('two clicks lead from the overview to why the alarm was raised: the channel, its value, and its chart', async () => {
    const { page, context, errors } = await openPage(browser, server, '#/', { bypassCSP: true })
    await page
      .getByRole('link', { name: /Plant 7/ })
      .first()
      .click()
    await first(page).waitFor()
    expect(await first(page).textContent()).toBe('oxygen')
    expect(await marked(page).allTextContents()).toContain('oxygen')
    await page.getByRole('region', { name: 'Level now' }).getByRole('link', { name: 'Why' }).click()
    await page.getByText('State hash').waitFor()
    expect(await first(page).textContent()).toBe('oxygen')
    expect(await marked(page).first().textContent()).toBe('oxygen')
    await page
      .getByText(/^−\d\.\d+\u202f%, compared with/)
      .first()
      .waitFor()
    expect(await page.locator('tr[aria-current]').textContent()).toMatch(/alarm \d+: Alarm/)
    expect(await violations(page)).toEqual([])
    expect(errors).toEqual([])
    await context.close()
  })

  it('an explanation of a level that the system has no more is not shown', async () => {
    const { page, context, errors } = await openPage(browser, server, '#/nowhere')
    const reply = await server.call('GET', '/v1/systems/plant/explanation')
    await page.route('**/explanation', (route) => route.fulfill({ json: { ...reply, level: 0, against: 1 } }))
    const asked = page.waitForResponse('**/explanation')
    await page.goto(`${server.url}/#/systems/plant`)
    await asked
    await page.getByLabel('Looking for the reasons').waitFor()
    expect(await page.locator('.reason-list').count()).toBe(0)
    expect(await marked(page).count()).toBe(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await first(page).waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('a question shows the channels that speak for its level first', async () => {
    const { page, context, errors } = await openPage(browser, server, '#/systems/plant/review', { bypassCSP: true })
    await page.getByText('those that speak for the likely level first').waitFor()
    expect(await page.locator('.channel-name').first().textContent()).toBe('oxygen')
    expect(await marked(page).first().textContent()).toBe('oxygen')
    expect(errors).toEqual([])
    await context.close()
  })

  it('a system that is untrained gives no reasons', async () => {
    await server.call('POST', '/v1/systems', { ...PLANT, id: 'fresh', title: 'Fresh' })
    await server.call('POST', '/v1/systems/fresh/samples', { values: [0, 0, 0, 0] })
    const { page, context, errors } = await openPage(browser, server, '#/systems/fresh')
    await page.locator('.timeline[data-state="drawn"]').waitFor()
    expect(await page.getByRole('heading', { name: 'Why this level' }).count()).toBe(0)
    expect(errors).toEqual([])
    await context.close()
  })
})
