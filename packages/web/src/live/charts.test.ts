import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, openBrowser, openPage, SKIPPED, TestServer } from '../testing/page.ts'
import { SmallSystem } from '../testing/small-system.ts'

/** What a busy machine comes to in the end. */
const eventually = <T>(look: () => T) => expect.poll(look)

/** The requests for charts that a page makes from now on. */
function chartRequests(page: Page): URL[] {
  const seen: URL[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (/\/(chart|samples|log)$/.test(url.pathname)) seen.push(url)
  })
  return seen
}

/** Drags across a chart, from a part of its width to its right edge. */
async function dragAcross(page: Page, chart: Locator, from: number): Promise<void> {
  const box = (await chart.boundingBox()) as { x: number; y: number; width: number; height: number }
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width * from, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.99, y, { steps: 5 })
  await page.mouse.up()
}

describe.skipIf(!CHROMIUM)(`charts and time${SKIPPED}`, () => {
  let server: TestServer
  let browser: Browser

  beforeAll(async () => {
    server = await TestServer.start()
    await server.dive(3_000, 1)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  const drawn = (page: Page) => page.locator('.plot.timeline[data-state="drawn"]').waitFor()
  const address = (page: Page) => page.evaluate(() => location.href)
  const words = (page: Page) => page.locator('.window-words').textContent()

  it('twelve drags at 1920 pixels zoom to twelve stretches of time, with one request each; back and forward undo and redo them', async () => {
    const viewport = { width: 1920, height: 1080 }
    const { page, context, errors } = await openPage(browser, server, '#/systems/dive', { viewport })
    await drawn(page)
    const requests = chartRequests(page)
    const addresses: string[] = []
    for (let drag = 0; drag < 12; drag++) {
      await page
        .getByRole('button', { name: 'Follow' })
        .or(page.getByRole('button', { name: '15 s' }))
        .last()
        .click()
      await drawn(page)
      const chart = drag % 2 === 0 ? page.locator('.timeline .u-over') : page.locator('.channel .u-over').nth(drag)
      const before = requests.length
      // A chart may move away from under the pointer when something arrives above it.
      await eventually(async () => {
        await dragAcross(page, chart, 0.3 + drag / 50)
        return address(page)
      }).toMatch(/from=.*Z&to=.*Z/)
      await drawn(page)
      await eventually(() => words(page)).not.toContain('loading')
      expect(requests.length - before).toBe(1)
      const { searchParams } = requests.at(-1) as URL
      const [from, to] = [Number(searchParams.get('from')), Number(searchParams.get('to'))]
      expect(to - from).toBeGreaterThan(100)
      expect(to - from).toBeLessThan(60_000)
      addresses.push(await address(page))
      await eventually(() => page.locator('.channel .plot[data-state="empty"]').count()).toBe(0)
    }
    expect(new Set(addresses).size).toBe(12)
    const zoomed = await words(page)
    await page.goBack()
    await eventually(() => words(page)).not.toBe(zoomed)
    await page.goForward()
    await eventually(() => words(page)).toBe(zoomed)
    expect(errors).toEqual([])
    await context.close()
  })

  it('an address holds its stretch of time, and a tooltip tells time, level, value and unit', async () => {
    await server.call('PATCH', '/v1/systems/dive', { units: { depth: 'm' }, ranges: { depth: { max: 12_000 } } })
    const { lastSampleTime } = await server.call('GET', '/v1/systems/dive')
    const iso = (time: number) => new Date(time).toISOString()
    const address = `#/systems/dive?from=${iso(lastSampleTime - 3_000)}&to=${iso(lastSampleTime)}`
    const { page, context, errors } = await openPage(browser, server, address)
    await drawn(page)
    expect(await words(page)).toMatch(/\d\d:\d\d:\d\d – /)
    await page.locator('.timeline .u-over').hover()
    const tip = page.locator('.tooltip')
    await eventually(() => tip.textContent()).toMatch(/^\d\d:\d\d:\d\d\.\d{3}\n.+/)
    const { levels } = await server.call('GET', '/v1/systems/dive')
    expect(levels).toContain(((await tip.textContent()) as string).split('\n')[1])
    await page.getByRole('img', { name: 'depth over time' }).locator('.u-over').hover()
    await eventually(() => tip.textContent()).toMatch(/depth [\d.]+\u202fm\nat most 12000\u202fm/)
    await page.mouse.move(2, 2)
    await eventually(() => tip.isVisible()).toBe(false)
    expect(errors).toEqual([])
    await context.close()
  })

  it('a long range says what it leaves out, and its lanes hold the first answer and the last', async () => {
    const { page, context, errors } = await openPage(browser, server, '#/systems/dive?last=86400')
    await drawn(page)
    await eventually(() => words(page)).toMatch(/following, lowest and highest of every \d+ samples/)
    const answers = await page.evaluate(async () => {
      const chart = await (await fetch('/v1/systems/dive/chart?points=100')).json()
      return chart.answers.reduce(
        (sum: number, moment: Record<string, number>) => sum + moment.right + moment.wrong + moment.named,
        0,
      )
    })
    const { counts } = await server.call('GET', '/v1/systems/dive')
    expect(answers).toBe(counts.right + counts.wrong + counts.corrections)
    expect(answers).toBeGreaterThan(2_500)
    expect(errors).toEqual([])
    await context.close()
  })

  it('a click on the course of the accuracy leads to that moment', async () => {
    const { page, context, errors } = await openPage(browser, server, '#/systems/dive')
    const accuracy = page.getByRole('img', { name: 'Accuracy, best expert and bounds over time' })
    const chart = accuracy.locator('.u-over')
    // What arrives above the chart moves it: out of sight, where it is not drawn, or away from under the pointer.
    await eventually(async () => {
      await accuracy.scrollIntoViewIfNeeded()
      return accuracy.getAttribute('data-state')
    }).toBe('drawn')
    const tip = async () => {
      await chart.hover()
      return page.locator('.tooltip').allTextContents()
    }
    await eventually(tip).toEqual([expect.stringContaining('Latest 500 answers')])
    await chart.click()
    await page.getByText('State hash').waitFor()
    expect(page.url()).toMatch(/#\/systems\/dive\/at\/\d+$/)
    await page.goBack()
    await page.getByRole('link', { name: /^Lowest: [\d.]+ % at/ }).waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('the first load of the live view takes at most 250 kB over the wire, all requests together', async () => {
    const { page, context } = await openPage(browser, server, '#/nowhere')
    await page.getByText('There is nothing here').waitFor()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
    let [bytes, chart] = [0, 0]
    const charts = new Set<string>()
    devtools.on('Network.responseReceived', ({ requestId, response }) => {
      if (response.url.includes('/chart?')) charts.add(requestId)
    })
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      bytes += encodedDataLength
      if (charts.has(requestId)) chart += encodedDataLength
    })
    await page.goto(`${server.url}/?fresh#/systems/dive`)
    await drawn(page)
    await page.getByText('answered right,').first().waitFor()
    expect(chart).toBeGreaterThan(10_000)
    expect(bytes).toBeGreaterThan(chart + 50_000)
    expect(bytes).toBeLessThanOrEqual(250_000)
    await context.close()
  })

  it('popovers close on Escape, with the focus back, and on a click elsewhere', async () => {
    const { page, context } = await openPage(browser, server, '#/systems/dive')
    await drawn(page)
    const open = () => page.locator('details.chooser').evaluate((element) => (element as HTMLDetailsElement).open)
    await page.getByText('Choose channels').first().click()
    await eventually(open).toBe(true)
    await page.getByRole('button', { name: 'None', exact: true }).focus()
    await page.keyboard.press('Escape')
    await eventually(open).toBe(false)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY')
    await page.keyboard.press('Enter')
    await eventually(open).toBe(true)
    await page.locator('#timeline-title').click()
    await eventually(open).toBe(false)
    await context.close()
  })

  it('shows no axes before there are samples, and says that there are none', async () => {
    await SmallSystem.create(server, 'nothing-yet')
    const { page, context } = await openPage(browser, server, '#/systems/nothing-yet')
    const chart = page.getByRole('img', { name: 'depth over time' })
    await eventually(() => chart.getAttribute('data-state')).toBe('empty')
    expect(await chart.locator('.uplot').isVisible()).toBe(false)
    await page.route('**/chart?*', () => {})
    await page.reload()
    await page.locator('.skeleton, .plot[data-state="waiting"]').first().waitFor()
    // What stands still before anything is drawn stands at the present.
    await page.getByRole('button', { name: 'Pause' }).click()
    await eventually(() => words(page)).toContain(' – ')
    expect(await words(page)).not.toContain('1970')
    await context.close()
  })
})
