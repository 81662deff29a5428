import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, openBrowser, openPage, SKIPPED, TestServer } from '../testing/page.ts'

describe.skipIf(!CHROMIUM)(`answering a stretch of time${SKIPPED}`, () => {
  let server: TestServer
  let browser: Browser

  beforeAll(async () => {
    server = await TestServer.start()
    await server.dive(600, 0.3)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  const stretches = async (kinds = 'stretch') =>
    (await server.call('GET', `/v1/systems/dive/log?kinds=${kinds}&latest=true`)).records

  /** Drags across the timeline, from one share of its width to another. */
  async function drag(page: Page, from: number, to: number): Promise<void> {
    const box = await page.locator('.timeline .u-over').boundingBox()
    if (!box) throw new Error('there is no timeline')
    const y = box.y + box.height / 2
    await page.mouse.move(box.x + from * box.width, y)
    await page.mouse.down()
    await page.mouse.move(box.x + to * box.width, y, { steps: 5 })
    await page.mouse.up()
  }

  it('one drag answers every open sample there as one record, and undo takes it back as one', async () => {
    const { page, context, errors } = await openPage(browser, server, '#/systems/dive?last=300')
    const bar = page.getByRole('group', { name: 'Answer a stretch' })
    const levels = (await server.call('GET', '/v1/systems/dive')).levels as string[]
    await page.locator('.timeline[data-state="drawn"]').waitFor()
    const before = await server.call('GET', '/v1/systems/dive')
    await bar.getByRole('button', { name: levels[1] }).click()
    await drag(page, 0.02, 0.999)
    await bar.getByText(/^Answered [\d,]+ samples/).waitFor()
    const [record] = await stretches()
    expect(record.body).toMatchObject({ kind: 'label', level: 1 })
    expect(record.body.answered).toBeGreaterThan(50)
    expect(await stretches('stretch,withdrawal')).toHaveLength(1)
    const after = await server.call('GET', '/v1/systems/dive')
    expect(after.openQuestions).toBe(before.openQuestions - record.body.answered)
    expect(after.counts.labels).toBe(before.counts.labels + record.body.answered)
    await bar.getByRole('button', { name: 'Undo the stretch' }).click()
    await bar.getByText(/^Taken back: [\d,]+ answers are open again\.$/).waitFor()
    const undone = await server.call('GET', '/v1/systems/dive')
    expect(undone.openQuestions).toBe(before.openQuestions)
    expect(undone.counts).toEqual(before.counts)
    expect(errors).toEqual([])
    await context.close()
  })

  it('works by keyboard: what is shown is answered, and the history tells who did it', async () => {
    const { page, context } = await openPage(browser, server, '#/systems/dive?last=300')
    const bar = page.getByRole('group', { name: 'Answer a stretch' })
    await page.locator('.timeline[data-state="drawn"]').waitFor()
    await bar.getByRole('button', { name: 'Right' }).press('Enter')
    await bar.getByRole('button', { name: 'Answer all that is shown' }).press('Enter')
    await bar.getByText(/^Answered [\d,]+ samples/).waitFor()
    const [{ body }] = await stretches()
    expect(body.kind).toBe('confirm')
    await page.goto(`${server.url}/#/systems/dive/history`)
    await page.getByRole('cell', { name: body.by }).first().waitFor()
    await page.getByText(/assessments [\d,]+ to [\d,]+, [\d,]+ answers: right/).waitFor()
    // Nothing is left to answer there, and the page says so.
    await page.goto(`${server.url}/#/systems/dive?last=300`)
    await bar.getByRole('button', { name: 'Wrong' }).click()
    await bar.getByRole('button', { name: 'Answer all that is shown' }).click()
    await bar.getByText(/^Nothing was answered: every sample between/).waitFor()
    // An answer that is lost says nothing of what was done.
    await page.route('**/stretches', (route) => route.abort(), { times: 1 })
    await bar.getByRole('button', { name: 'Answer all that is shown' }).click()
    await bar.getByText(/^The server did not answer\. The change may have been made: /).waitFor()
    await context.close()
  })

  it('two methods are compared in at most 4 clicks, and a comparison can be cancelled', async () => {
    const { page, context, errors } = await openPage(browser, server, '#/systems/dive')
    let clicks = 0
    const click = async (step: Promise<unknown>) => {
      clicks++
      await step
    }
    await click(page.getByRole('link', { name: 'Performance' }).click())
    await click(page.getByLabel('Compare with').selectOption('majority'))
    await click(page.getByRole('button', { name: 'Compare' }).click())
    await page.getByRole('columnheader', { name: 'majority, what if' }).waitFor()
    expect(clicks).toBeLessThanOrEqual(4)
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Right' }) })
    const [recorded, other] = await row.getByRole('cell').allTextContents()
    const expected = await server.call('POST', '/v1/systems/dive/what-if', { method: 'majority' })
    const percent = (share: number) => `${(100 * share).toFixed(1)} %`
    expect([recorded, other]).toEqual([percent(expected.recordedAccuracy), percent(expected.whatIfAccuracy)])
    // One that does not end by itself, however fast the machine is.
    await page.route('**/what-if', () => {}, { times: 1 })
    await page.getByLabel('Compare with').selectOption('arf')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alert').filter({ hasText: 'Cancelled.' }).waitFor()
    // The next one does not wait for the one that was cancelled.
    await page.getByLabel('Compare with').selectOption('no-change')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('columnheader', { name: 'no-change, what if' }).waitFor()
    expect(errors).toEqual([])
    await context.close()
  })
})
