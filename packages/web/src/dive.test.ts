import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { feedCases } from './testing/cases/feed.ts'
import { historyCases } from './testing/cases/history.ts'
import { liveCases } from './testing/cases/live.ts'
import type { OnDive } from './testing/cases/on-dive.ts'
import { overviewCases } from './testing/cases/overview.ts'
import { performanceCases } from './testing/cases/performance.ts'
import { tourCases } from './testing/cases/tour.ts'
import { CHROMIUM, openBrowser, openPage, SKIPPED, TestServer } from './testing/page.ts'

// One server and one browser for all views of a dive: starting them takes longer than most tests.
describe.skipIf(!CHROMIUM)(`a dive of 400 samples${SKIPPED}`, () => {
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

  const onDive: OnDive = { server: () => server, open: (hash, options) => openPage(browser, server, hash, options) }
  describe('in the overview', () => overviewCases(onDive))
  describe('in the performance view', () => performanceCases(onDive))
  describe('in the history', () => historyCases(onDive))
  describe('in the live view', () => liveCases(onDive))
  describe('as its events tell it', () => feedCases(onDive))
  // The last one leaves the dive under way.
  describe('on the tour', () => tourCases(onDive))
})
