import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, openBrowser, openPage, SKIPPED, TestServer } from '../testing/page.ts'
import { SmallSystem } from '../testing/small-system.ts'

const DAY = 86_400_000

describe.skipIf(!CHROMIUM)(`clocks and silence${SKIPPED}`, () => {
  let server: TestServer
  let browser: Browser

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  it.each([
    ['a day ahead', DAY],
    ['a day behind', -DAY],
  ])('a browser whose clock is %s tells the true age, and knows old from fresh', async (words, clockOffset) => {
    const system = await SmallSystem.create(server, `offset-${words.split(' ').at(-1)}`, { stale: { after: 4 } })
    const { page, context, errors } = await openPage(browser, server, `#/systems/${system.id}`, { clockOffset })
    const level = page.getByRole('region', { name: 'Level now' })
    await level.waitFor()
    await system.send(1)
    await level.getByText('1 sample,').waitFor()
    expect(await level.getAttribute('class')).not.toContain('stale')
    await level.getByText(/^No sample for ([4-9]|\d\d)(\.\d)? s$/).waitFor()
    expect(await level.getAttribute('class')).toContain('stale')
    expect(errors).toEqual([])
    await context.close()
  })

  it('silence is an alarm in the live view and in the overview, until it is acknowledged and samples are back', async () => {
    const system = await SmallSystem.create(server, 'silent', { stale: { after: 1 } })
    const { page, context, errors } = await openPage(browser, server, '#/systems/silent')
    await system.send(1)
    const level = page.getByRole('region', { name: 'Level now' })
    await level.getByRole('alert').getByText('No samples', { exact: true }).waitFor()
    await level.getByText('No alarm').waitFor()
    await page.goto(`${server.url}/#/`)
    const card = page.getByRole('link', { name: /System silent/ })
    await card.getByText('No samples', { exact: true }).waitFor()
    await page.goto(`${server.url}/#/systems/silent`)
    await level.getByRole('button', { name: 'Acknowledge' }).click()
    await level.getByText('No samples, acknowledged').waitFor()
    expect((await system.detail()).staleAlarm?.status).toBe('acknowledged')
    await system.send(1)
    await level.getByText('No samples').waitFor({ state: 'detached' })
    expect(errors).toEqual([])
    await context.close()
  })

  it('a jump of the clock of the server is told in every view with its time and size, until somebody hides it', async () => {
    const { page, context, errors } = await openPage(browser, server, '#/')
    await page.getByRole('heading', { name: 'Systems' }).waitFor()
    expect(await page.getByText('The clock of the server jumped').count()).toBe(0)
    server.jump()
    const notice = page.getByText(/^The clock of the server jumped forwards by 1 h 0 min at .*\d\d:\d\d.*\.$/)
    await notice.waitFor()
    await page.goto(`${server.url}/#/systems/silent/history`)
    await page.getByText('the clock jumped forwards by 1 h 0 min').first().waitFor()
    await notice.waitFor()
    await page.getByRole('button', { name: 'Hide' }).click()
    await notice.waitFor({ state: 'detached' })
    expect(errors).toEqual([])
    await context.close()
  })
})
