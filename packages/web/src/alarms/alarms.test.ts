import type { AlarmList } from '@pb-oel/protocol'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENDS, expectSound, violations } from '../testing/axe.ts'
import { CHROMIUM, go, openBrowser, openPage, SKIPPED, TestServer } from '../testing/page.ts'
import { SmallSystem } from '../testing/small-system.ts'

const label = (level: number) => ({ kind: 'label' as const, level })

describe.skipIf(!CHROMIUM)(`alarms${SKIPPED}`, () => {
  let server: TestServer
  let browser: Browser

  beforeAll(async () => {
    server = await TestServer.start()
    // The dive stands still in these tests; that is no news here, and neither is its level.
    await server.call('PATCH', '/v1/systems/dive', { stale: null, alarm: { raiseAfter: 1e6 } })
    await server.dive(200, 1)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  /** A system that has learned to say the worst level, and alarms because of it. */
  async function alarming(id: string, more: object = {}): Promise<SmallSystem> {
    const system = await SmallSystem.create(server, id, { method: 'majority', stale: null, ...more })
    await system.send(8, () => label(2))
    await system.send(1)
    return system
  }
  const bar = (page: Page) => page.getByRole('region', { name: /wait for somebody|waits for somebody/ })
  const quiet = async (...systems: SmallSystem[]) => {
    for (const { id } of systems) await server.call('DELETE', `/v1/systems/${id}?confirm=${id}`)
  }
  it('the bar says in every view what waits, in the title and the icon too, and goes with the acknowledgement', async () => {
    const { page, context, errors } = await openPage(browser, server, '#/systems/dive/history', { bypassCSP: true })
    await page.getByRole('heading', { name: 'History' }).waitFor()
    expect(await bar(page).count()).toBe(0)
    const icon = () => page.evaluate(() => document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href)
    const usual = await icon()
    const pump = await alarming('pump', { alarm: { level: 2, raiseAfter: 0 } })
    const alert = bar(page).getByRole('alert')
    await alert.getByText('System pump:').waitFor()
    expect(await alert.textContent()).toMatch(/^High System pump: danger since \d\d:\d\d:\d\d$/)
    await expect.poll(() => page.title()).toMatch(/^⚠ 1 alarm · /)
    expect(await icon()).toMatch(/^data:image\/svg/)
    for (const hash of ['#/', '#/systems/dive', '#/systems/dive/review', '#/systems/pump', '#/systems/dive/at/100']) {
      await go(page, hash)
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
      await alert.waitFor()
    }
    // Two clicks: open the comment, acknowledge. Why: one click.
    await go(page, '#/systems/dive/history')
    await bar(page).getByRole('link', { name: 'Why?' }).click()
    await page.getByRole('heading', { name: /^After record/ }).waitFor()
    // What the page knows of the system comes late: it must not take the focus from somebody who types.
    let arrive = () => {}
    const late = new Promise<void>((done) => (arrive = done))
    await page.route(/\/v1\/systems\/dive$/, (asked) => late.then(() => asked.continue()))
    await go(page, '#/systems/dive/history')
    await bar(page).getByText('Comment', { exact: true }).click()
    // The field has the focus by itself.
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('comment')
    await page.keyboard.type('on my')
    arrive()
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await page.keyboard.type(' way')
    expect(await violations(page)).toEqual([])
    await bar(page).getByRole('button', { name: 'Acknowledge with comment' }).click()
    await bar(page).waitFor({ state: 'detached' })
    const { alarm } = await pump.detail()
    expect(alarm).toMatchObject({ status: 'acknowledged', comment: 'on my way' })
    await expect.poll(() => page.title()).not.toContain('⚠')
    expect(await icon()).toBe(usual)
    expect(errors).toEqual([])
    await context.close()
    await quiet(pump)
  })

  it('a bar of many alarms shows the most urgent and counts the rest', async () => {
    const rules = (priority: string) => ({ alarms: { level: { priority } } })
    const systems = [
      await alarming('a', rules('low')),
      await alarming('b', rules('critical')),
      await alarming('c', rules('medium')),
    ]
    const { page, context } = await openPage(browser, server, '#/')
    await bar(page).getByText('System b:').waitFor()
    expect(await bar(page).getByRole('alert').allTextContents()).toMatchObject([
      expect.stringContaining('Critical System b'),
      expect.stringContaining('Medium System c'),
    ])
    await bar(page).getByRole('link', { name: '1 more alarm' }).click()
    await page.getByRole('heading', { name: 'Alarms', level: 1 }).waitFor()
    expect(await bar(page).count()).toBe(0)
    await context.close()
    await quiet(...systems)
  })

  it('the list filters by what is in its address, shelves, and tells what happened', async () => {
    const rules = { alarms: { deep: { watch: 'range', channel: 'depth', min: 5, priority: 'medium' } } }
    const systems = [await alarming('one', rules), await alarming('two')]
    const { page, context, errors } = await openPage(browser, server, '#/alarms?search=one')
    const rows = page.getByRole('listitem').filter({ hasText: 'System' })
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByLabel('Priority').selectOption('high')
    await expect.poll(() => rows.count()).toBe(1)
    expect(page.url()).toContain('priority=high')
    await page.goBack()
    await expect.poll(() => rows.count()).toBe(2)
    const deep = rows.filter({ hasText: 'depth below 5' })
    await deep.getByText('Shelve', { exact: true }).click()
    await deep.locator('details[open]').getByLabel('Comment for the log').fill('new sensor')
    await deep.getByRole('button', { name: '15 min' }).click()
    await deep.getByText(/on the shelf until .*, by guest/).waitFor()
    expect(await deep.textContent()).toContain('“new sensor”')
    await page.getByLabel('Show').selectOption('hidden')
    await expect.poll(() => rows.count()).toBe(1)
    const history = page.getByRole('table', { name: 'Changes of alarms, latest first' })
    await history.getByText('Active, shelved').waitFor()
    expect(await history.getByRole('row').nth(1).textContent()).toMatch(
      /System onedeep 1 · depth below 5Active, shelved/,
    )
    await deep.getByRole('button', { name: 'Take from the shelf' }).click()
    await history.getByText('taken from the shelf').waitFor()
    const { alarms }: AlarmList = await server.call('GET', '/v1/alarms?show=calling&system=one')
    expect(alarms.map(({ about }) => about)).toEqual(['level', 'deep'])
    expect(errors).toEqual([])
    await context.close()
    await quiet(...systems)
  })

  it('a latched alarm is reset from the list, and one goes out of service and back', async () => {
    const system = await alarming('latching', { alarms: { level: { latch: true } } })
    await system.send(20, () => label(0))
    await system.send(1)
    const { page, context } = await openPage(browser, server, '#/alarms')
    const row = page.getByRole('listitem').filter({ hasText: 'System latching' })
    await row.getByText('Over, not acknowledged').waitFor()
    await row.getByRole('button', { name: 'Acknowledge', exact: true }).click()
    await row.getByRole('button', { name: 'Reset' }).click()
    await row.waitFor({ state: 'detached' })
    expect((await system.detail()).alarm.status).toBe('normal')
    await page.getByLabel('Show').selectOption('all')
    const level = row.filter({ hasText: 'danger' })
    await level.getByText('Shelve', { exact: true }).click()
    await level.getByRole('button', { name: 'Take out of service' }).click()
    await level.getByText('out of service, by').waitFor()
    await level.getByRole('button', { name: 'Put back into service' }).click()
    await level.getByText('out of service, by').waitFor({ state: 'detached' })
    await context.close()
    await quiet(system)
  })

  it('calls by sound and notification where this device wants it, for each alarm once', async () => {
    const whole = await openBrowser(CHROMIUM)
    const { page } = await openPage(whole, server, '#/nowhere', { permissions: ['notifications'] })
    // The real ones, with a list of what they were asked for.
    await page.addInitScript(() => {
      const told: string[] = []
      Object.assign(window, { told })
      const { start } = OscillatorNode.prototype
      window.Notification = new Proxy(Notification, {
        construct: (real, [title, options]) => {
          told.push(`${title}, ${options.body}`)
          return new real(title, options)
        },
      })
      OscillatorNode.prototype.start = function (when?: number) {
        told.push('tone')
        return start.call(this, when)
      }
    })
    await page.goto(`${server.url}/?again#/alarms`)
    const told = () => page.evaluate(() => (window as unknown as { told: string[] }).told)
    await page.getByLabel('Browser notifications').check()
    await page.getByLabel('Sound').check()
    // The tones say how it will sound.
    await expect.poll(told).toEqual(['tone', 'tone'])
    const system = await alarming('loud')
    await expect.poll(told).toEqual(['tone', 'tone', 'tone', 'tone', 'High: System loud, danger'])
    await system.send(1)
    await page.reload()
    await page.getByRole('listitem').filter({ hasText: 'System loud' }).waitFor()
    expect(await page.getByLabel('Sound').isChecked()).toBe(true)
    await whole.close()
    await quiet(system)
  })

  it('old data are hatched, without colour, first in the overview and counted in the header', async () => {
    const fresh = await SmallSystem.create(server, 'a-fresh', { method: 'majority', stale: { after: 600 } })
    const old = await SmallSystem.create(server, 'z-old', { method: 'majority', stale: { after: 1 } })
    for (const system of [fresh, old]) await system.send(7, () => label(0))
    // A browser whose clock is wrong by an hour sees the same.
    const { page, context } = await openPage(browser, server, '#/', { clockOffset: 3_600_000 })
    const card = page.getByRole('link', { name: /System z-old/ })
    await expect.poll(() => card.getAttribute('class')).toContain('is-stale')
    const first = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { level: 2 }) })
      .first()
    expect(await first.textContent()).toContain('System z-old')
    const style = (selector: string, property: string) =>
      card.locator(selector).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
    expect(await style('.level-mark', 'filter')).toBe('grayscale(1)')
    expect(await card.evaluate((element) => getComputedStyle(element).backgroundImage)).toContain('repeating-linear')
    expect(await page.getByRole('link', { name: /System a-fresh/ }).getAttribute('class')).not.toContain('is-stale')
    await page.getByRole('banner').getByText('1 stale').waitFor()
    await go(page, '#/systems/z-old')
    const level = page.getByRole('region', { name: 'Level now' })
    await expect.poll(() => level.getAttribute('class')).toContain('stale')
    await old.send(1)
    await context.close()
    await quiet(fresh, old)
  })

  it('axe finds nothing in the list, the bar and stale cards, and nothing is too wide', async () => {
    const systems = [
      await alarming('first', {
        alarms: { level: { priority: 'critical' }, deep: { watch: 'range', channel: 'depth', min: 5 } },
      }),
      await alarming('second', { stale: { after: 1 }, alarms: { level: { priority: 'low' } } }),
    ]
    await server.call('POST', '/v1/systems/first/alarm/shelve', { about: 'deep', comment: 'known' })
    const { page, context, errors } = await openPage(browser, server, '#/alarms', { bypassCSP: true })
    await page.getByText('“known”').first().waitFor()
    await expectSound(page, undefined, ENDS)
    await go(page, '#/')
    await bar(page).waitFor()
    await page.locator('.is-stale').first().waitFor()
    await expectSound(page, undefined, ENDS)
    expect(errors).toEqual([])
    await context.close()
    await quiet(...systems)
  })
})
