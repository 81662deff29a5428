import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askedQuestion, CHROMIUM, openBrowser, openPage, SKIPPED, TestServer } from '../testing/page.ts'

describe.skipIf(!CHROMIUM)(`connection${SKIPPED}`, () => {
  let server: TestServer
  let browser: Browser

  beforeAll(async () => {
    server = await TestServer.start()
    await server.dive(300, 0.3)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  const lost = (page: Page) => page.getByRole('alert').filter({ hasText: 'Connection lost' })
  it('a killed server shows at once, nothing typed or answered is lost, and all goes on when it is back', async () => {
    const review = await openPage(browser, server, '#/systems/dive/review')
    const live = await openPage(browser, server, '#/systems/dive')
    const history = await openPage(browser, server, '#/systems/dive/history')
    const pages = [review.page, live.page, history.page]
    await live.page.getByRole('heading', { name: 'Level now' }).waitFor()
    await live.page.evaluate(() => Object.assign(window, { stillThere: true }))
    await history.page.getByLabel('Who').fill('simulated reviewer')
    await history.page.getByRole('cell', { name: 'simulated reviewer' }).first().waitFor()
    const asked = await askedQuestion(review.page)
    const { sequence } = await server.call('GET', '/v1/systems/dive')
    const resumed: string[] = []
    review.page.on('request', (request) => {
      if (request.url().includes('/events')) resumed.push(request.headers()['last-event-id'])
    })

    await server.kill()
    for (const page of pages) await lost(page).waitFor()
    await review.page.keyboard.press('n')
    await review.page.getByText('1 answer is kept and will be sent.').waitFor()
    // Not even a closed tab loses it.
    const kept = () => review.page.evaluate(() => localStorage.getItem('pb-oel:outbox'))
    expect(await kept()).toContain(`"assessment":${asked}`)
    await history.page.getByLabel('Go to').fill('12')

    await server.run()
    for (const page of pages) await lost(page).waitFor({ state: 'hidden' })
    const answers = async () => (await server.answers()).filter(({ body }) => body.assessment === asked)
    await expect.poll(async () => (await answers()).map(({ body }) => body.kind)).toEqual(['reject'])
    await expect.poll(kept).toBeNull()
    expect(Number(resumed.at(-1))).toBe(sequence)
    expect(await history.page.getByLabel('Who').inputValue()).toBe('simulated reviewer')
    expect(await history.page.getByLabel('Go to').inputValue()).toBe('12')

    await server.dive((await server.call('GET', '/v1/systems/dive')).samples + 50)
    const { samples } = await server.call('GET', '/v1/systems/dive')
    await live.page.getByText(`${samples.toLocaleString('en')} samples`).waitFor()
    expect(await live.page.evaluate(() => 'stillThere' in window)).toBe(true)
    expect([...review.errors, ...live.errors, ...history.errors]).toEqual([])
    for (const page of pages) await page.context().close()
  })

  it('what happened while the page was away arrives by Last-Event-ID', async () => {
    const { page, context } = await openPage(browser, server, '#/systems/dive/review')
    const asked = await askedQuestion(page)
    await page.locator('.connection.live').waitFor()
    const resumed: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/events')) resumed.push(request.headers()['last-event-id'])
    })
    await context.setOffline(true)
    await lost(page).waitFor()
    await server.call('POST', '/v1/systems/dive/feedback', { assessment: asked, kind: 'confirm', by: 'zoe' })
    const { sequence } = await server.call('GET', '/v1/systems/dive')
    await context.setOffline(false)
    await expect.poll(() => askedQuestion(page)).not.toBe(asked)
    expect(Number(resumed.at(-1))).toBeGreaterThan(0)
    expect(Number(resumed.at(-1))).toBeLessThan(sequence)
    await context.close()
  })

  it('a question answered before the page began to listen is left too', async () => {
    const { page, context } = await openPage(browser, server, '#/')
    const released = Promise.withResolvers<void>()
    // The first attempt of the live feed to read its past fails, after the question has come and been answered.
    await page.route(
      '**/v1/systems/dive/log?**',
      async (route) => {
        await released.promise
        await route.abort()
      },
      { times: 1 },
    )
    await page.goto(page.url().replace('#/', '#/systems/dive/review'))
    const asked = await askedQuestion(page)
    await server.call('POST', '/v1/systems/dive/feedback', { assessment: asked, kind: 'confirm', by: 'zoe' })
    released.resolve()
    await expect.poll(() => askedQuestion(page)).not.toBe(asked)
    await context.close()
  })
})
