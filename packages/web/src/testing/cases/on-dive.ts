import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { openBrowser, openPage, TestServer } from '../page.ts'

/** What tests share that look at one dive of 400 samples: its server, and pages of one browser. */
export interface OnDive {
  server: () => TestServer
  /** Opens a page at an address. */
  open: (hash: string, options?: Parameters<typeof openPage>[3]) => ReturnType<typeof openPage>
}

/** Starts the server and the browser for the tests around it: that takes longer than most tests. */
export function onOneDive(): OnDive {
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
  return { server: () => server, open: (hash, options) => openPage(browser, server, hash, options) }
}
