import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { CHROMIUM, CHROMIUM_SHELL } from '../../test/support/needs.ts'

export { CHROMIUM }
/** Stands behind the name of a test that is skipped. */
export const SKIPPED = CHROMIUM ? '' : ' (needs chromium)'

export const PHONE = { width: 390, height: 844 }
export const DESKTOP = { width: 1440, height: 900 }

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A headless browser. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM_SHELL,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })

/** A page without any network, opened from disk as a reader of the built site does; its errors end up in `errors`. */
export async function openOffline(browser: Browser, address: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: DESKTOP, offline: true, ...options })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('request', (request) => {
    if (/^https?:/.test(request.url())) errors.push(`asks the network for ${request.url()}`)
  })
  await page.goto(address)
  return { page, context, errors }
}

const LEVEL_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules that a theme or a width can break; all others see the same page. */
const LOOKS = ['color-contrast', 'link-in-text-block', 'target-size']

/** What axe finds at levels A and AA, one line each; of a page seen before, in another theme, only `looks`. */
export async function accessibilityProblems(page: Page, looks = false): Promise<string[]> {
  await page.evaluate(AXE)
  const runOnly = looks ? { type: 'rule', values: LOOKS } : { type: 'tag', values: LEVEL_AA }
  return page.evaluate(async (only) => {
    const options = { runOnly: only, preload: false, resultTypes: ['violations'] }
    // biome-ignore lint/suspicious/noExplicitAny: axe is put there by the line above
    const { violations } = await (window as any).axe.run(document, options)
    return violations.flatMap(({ id, nodes }: { id: string; nodes: { target: string[]; failureSummary: string }[] }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    )
  }, runOnly)
}

/** Whether the page is wider than the screen. */
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
