import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, openBrowser, openPage, SKIPPED, TestServer } from '../testing/page.ts'

describe.skipIf(!CHROMIUM)(`what a browser does with the API by itself${SKIPPED}`, () => {
  let browser: Browser
  let server: TestServer

  beforeAll(async () => {
    ;[browser, server] = [await openBrowser(), await TestServer.start()]
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  it('EventSource opens the events with a ticket, on a server that wants tokens', async () => {
    const made = await fetch(`${server.url}/v1/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'alice', roles: ['admin'] }),
    })
    const { token } = (await made.json()) as { token: string }
    const { page } = await openPage(browser, server, 'docs')
    const names = await page.evaluate(async (text) => {
      const headers = { authorization: `Bearer ${text}` }
      const answer = await fetch('/v1/systems/dive/events/ticket', { method: 'POST', headers })
      const { url } = await answer.json()
      const events = new EventSource(`${url}&after=0&kinds=created`)
      const first = await new Promise<string>((found, failed) => {
        events.addEventListener('created', ({ type, lastEventId }) => found(`${type} ${lastEventId}`))
        events.onerror = () => failed(new Error('the stream did not open'))
      })
      events.close()
      return first
    }, token)
    expect(names).toBe('created 1')
  })

  it('the page to try the API shows the operations by tag, loads nothing from elsewhere and breaks no rule', async () => {
    const { page, context, errors } = await openPage(browser, server, '')
    const elsewhere: string[] = []
    context.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(server.url)) elsewhere.push(request.url())
    })
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) errors.push(message.text())
    })
    await page.goto(`${server.url}/docs`)
    await page.getByRole('heading', { name: 'samples' }).first().waitFor()
    expect(await page.locator('.opblock-tag-section').count()).toBe(7)
    expect([elsewhere, errors]).toEqual([[], []])
  })
})
