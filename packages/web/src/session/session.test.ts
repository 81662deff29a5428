import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askedQuestion, CHROMIUM, openBrowser, openPage, SKIPPED, TestServer } from '../testing/page.ts'

describe.skipIf(!CHROMIUM)(`people and their roles${SKIPPED}`, () => {
  let server: TestServer
  let browser: Browser
  let tokens: Record<'admin' | 'reviewer-ann' | 'reviewer-ben' | 'viewer' | 'sensor', string>

  beforeAll(async () => {
    server = await TestServer.start()
    await server.dive(300, 0.3)
    tokens = await server.tokens('reviewer-ann', 'reviewer-ben', 'viewer', 'sensor')
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  it('two reviewers at once never see, and never answer, the same question', async () => {
    const ann = await openPage(browser, server, '#/systems/dive/review', { token: tokens['reviewer-ann'] })
    const ben = await openPage(browser, server, '#/systems/dive/review', { token: tokens['reviewer-ben'] })
    const before = (await server.answers()).length
    for (let round = 0; round < 5; round++) {
      const [hers, his] = [await askedQuestion(ann.page), await askedQuestion(ben.page)]
      expect(hers).not.toBe(his)
      await Promise.all([ann.page.keyboard.press('y'), ben.page.keyboard.press('n')])
      await expect.poll(async () => (await server.answers()).length).toBe(before + 2 * (round + 1))
      for (const [{ page }, old] of [[ann, hers] as const, [ben, his] as const]) {
        await expect.poll(() => askedQuestion(page)).not.toBe(old)
      }
    }
    const given = (await server.answers()).slice(0, 10)
    expect(new Set(given.map(({ body }) => body.assessment)).size).toBe(10)
    expect(given.filter(({ body }) => body.by === 'reviewer-ann' && body.kind === 'confirm')).toHaveLength(5)
    expect(given.filter(({ body }) => body.by === 'reviewer-ben' && body.kind === 'reject')).toHaveLength(5)

    // Somebody answers what Ann looks at, by another way: she is told and gets the next one.
    const taken = await askedQuestion(ann.page)
    await server.call('POST', '/v1/systems/dive/feedback', { assessment: taken, kind: 'confirm' })
    await ann.page.getByText('admin has just answered this question').first().waitFor()
    await expect.poll(() => askedQuestion(ann.page)).not.toBe(taken)
    await ann.context.close()
    await ben.context.close()
  })

  it('asks for a token, leaves a wrong one in the field, and opens the wanted view after a right one', async () => {
    const { page, context } = await openPage(browser, server, '#/systems/dive/history')
    const field = page.getByLabel('Access token')
    await field.fill('pboel_wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').textContent()).toBe('This token is not valid.')
    expect(await field.inputValue()).toBe('pboel_wrong')
    await field.fill(tokens.viewer)
    await field.press('Enter')
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await page.locator('.person summary').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Access token').waitFor()
    expect(
      await page.evaluate(() => sessionStorage.getItem('pb-oel:token') ?? localStorage.getItem('pb-oel:token')),
    ).toBeNull()
    await context.close()
  })

  it('a viewer sees everything and finds nothing to answer or change', async () => {
    const { page, context, errors } = await openPage(browser, server, '#/systems/dive/review', { token: tokens.viewer })
    await page.getByText('You can watch but not answer').waitFor()
    for (const name of ['Right', 'Wrong', 'Skip', 'Undo'])
      expect(await page.getByRole('main').getByRole('button', { name }).count()).toBe(0)
    await page.getByRole('link', { name: 'Live' }).click()
    await page.getByRole('heading', { name: 'Level now' }).waitFor()
    await page.getByRole('img', { name: 'depth over time' }).waitFor()
    expect(await page.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'Simulation' }).count()).toBe(0)
    expect(errors).toEqual([])
    await context.close()
  })

  it('a reviewer acknowledges an alarm, and the log says who', async () => {
    await server.call('PATCH', '/v1/systems/dive', { alarm: { level: 1, clearBelow: 1, raiseAfter: 0 } })
    const { page, context } = await openPage(browser, server, '#/systems/dive', { token: tokens['reviewer-ann'] })
    await server.call('PATCH', '/v1/simulation', { speed: 100 })
    // Of several alarms any will do: on a slow machine the system also falls silent.
    await page.getByRole('main').getByRole('button', { name: 'Acknowledge', exact: true }).first().click()
    await server.call('PATCH', '/v1/simulation', { speed: 0 })
    const log = () => server.call('GET', '/v1/systems/dive/log?kinds=acknowledgement')
    await expect.poll(async () => (await log()).records.at(-1)?.body.by).toBe('reviewer-ann')
    await context.close()
  })

  it('a sensor cannot sign in to watch', async () => {
    const { page, context } = await openPage(browser, server, '#/')
    await page.getByLabel('Access token').fill(tokens.sensor)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This token may only send samples').waitFor()
    await context.close()
  })
})
