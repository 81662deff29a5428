import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { overflow, violations } from '../testing/axe.ts'
import { CHROMIUM, openBrowser, openPage, SKIPPED, TestServer } from '../testing/page.ts'

const SYSTEMS = 200
const CHANNELS = Array.from({ length: 200 }, (_, i) => `${['pump', 'tank', 'fan', 'valve'][i % 4]}_${i}`)
const LEVELS = ['I safe', 'II unsafe']
/** What a busy machine comes to in the end. */
const eventually = <T>(look: () => T) => expect.poll(look)

describe.skipIf(!CHROMIUM)(`many systems, many channels${SKIPPED}`, () => {
  let server: TestServer
  let browser: Browser

  beforeAll(async () => {
    server = await TestServer.start()
    for (let n = 1; n < SYSTEMS; n++) {
      const title = `${n % 2 === 0 ? 'North' : 'South'} / pump ${n}`
      const options = { networks: 1, pending: 20 }
      await server.call('POST', '/v1/systems', { id: `pump-${n}`, title, channels: ['a'], levels: LEVELS, options })
    }
    await server.call('POST', '/v1/systems', { id: 'wide', title: 'Wide plant', channels: CHANNELS, levels: LEVELS })
    for (let n = 0; n < 40; n++) {
      // Channel 137 is the cause.
      const unsafe = n % 4 >= 2
      const values = CHANNELS.map((_, c) => Math.sin(n + 9 * c) + (c === 137 && unsafe ? 9 : 0))
      const { assessment } = await server.call('POST', '/v1/systems/wide/samples', { values })
      const answer = { assessment, kind: 'label', level: unsafe ? 1 : 0, by: 'tester' }
      await server.call('POST', '/v1/systems/wide/feedback', answer)
    }
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  it('200 systems are rows that can be searched, ordered and grouped; the address keeps it', async () => {
    const { page, context, errors } = await openPage(browser, server, '#/', { bypassCSP: true })
    const rows = page.locator('.system-row')
    await eventually(() => rows.count()).toBe(SYSTEMS + 1)
    expect(await violations(page)).toEqual([])
    expect(await overflow(page)).toBe(0)
    await page.getByLabel('Find').fill('north pump 12')
    await eventually(() => rows.count()).toBe(7)
    await page.getByLabel('Find').fill('')
    await page.getByLabel('Groups').selectOption('by name')
    await page.getByRole('heading', { name: 'North' }).waitFor()
    await page.getByLabel('Order').selectOption('name')
    expect(page.url()).toMatch(/group=name&sort=name$/)
    await page.reload()
    await eventually(() => page.locator('.system-group').first().locator('strong').first().textContent()).toBe(
      'North / pump 2',
    )
    await page.goBack()
    await eventually(() => page.getByLabel('Order').inputValue()).toBe('trouble')
    await page.getByRole('button', { name: 'Cards' }).click()
    await page.getByRole('link', { name: /Wide plant/ }).waitFor()
    // Only the cards in sight ask for their trends.
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/chart') && asked.push(request.url()))
    await page.reload()
    await page.getByRole('link', { name: /Wide plant/ }).waitFor()
    await eventually(() => asked.length).toBeLessThan(40)
    expect(errors).toEqual([])
    await context.close()
  })

  it('the trend of a few seconds says so, and what is safe is grey', async () => {
    const { page, context } = await openPage(browser, server, '#/?view=cards&q=wide')
    const card = page.getByRole('link', { name: /Wide plant/ })
    await card
      .locator('.system-trend .muted')
      .getByText(/^last \d+ s: /)
      .waitFor()
    const grey = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--level-0').trim(),
    )
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(grey.slice(at, at + 2), 16))
    expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThan(30)
    await context.close()
  })

  it('200 channels can be searched, grouped, and ordered by contribution: the cause comes first', async () => {
    const { page, context, errors } = await openPage(browser, server, '#/systems/wide', { bypassCSP: true })
    const names = page.locator('.channel-name')
    await eventually(() => names.count()).toBe(48)
    await page.getByRole('button', { name: 'Show all 200' }).click()
    await eventually(() => names.count()).toBe(200)
    await page.getByLabel('Order of the channels').selectOption('by contribution')
    await page.locator('.channel.marked').first().waitFor()
    await eventually(() => names.first().textContent()).toBe('tank 137')
    await page.getByLabel('Find channels').fill('fan 1')
    await eventually(() => names.count()).toBeLessThan(40)
    expect(new Set((await names.allTextContents()).map((name) => name.split(' ')[0]))).toEqual(new Set(['fan']))
    await page.getByLabel('Find channels').fill('')
    await page.getByLabel('grouped').check()
    await page.getByRole('heading', { name: 'valve' }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await overflow(page)).toBe(0)
    expect(errors).toEqual([])
    await context.close()
  })
})
