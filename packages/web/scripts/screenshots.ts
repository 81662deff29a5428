// Pictures of every view, from the real server: node packages/web/scripts/screenshots.ts [--out folder] [--all]
// Without --all: the pictures of docs/web.md. With it: every view at four widths in both themes, to be looked at.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { openBrowser, openPage, TestServer } from '../src/testing/page.ts'

const { values } = parseArgs({ options: { out: { type: 'string' }, all: { type: 'boolean' } } })
const out = values.out ?? join(import.meta.dirname, '../../../docs/images')
mkdirSync(out, { recursive: true })

/** Each view with its address, and what shows that it is there. */
const VIEWS: readonly (readonly [name: string, hash: string, ready: (page: Page) => Promise<unknown>])[] = [
  ['overview', '#/', (page) => page.getByText('Simulated dive').first().waitFor()],
  ['live', '#/systems/dive', (page) => page.locator('.timeline[data-state]').scrollIntoViewIfNeeded()],
  ['review', '#/systems/dive/review', (page) => page.locator('.question .plot[data-state="drawn"]').first().waitFor()],
  ['history', '#/systems/dive/history', (page) => page.getByRole('cell').first().waitFor()],
  ['moment', '#/systems/dive/at/1500', (page) => page.getByText('State hash').waitFor()],
]
const SIZES = values.all ? [1920, 1440, 820, 390] : [1440]
const THEMES = values.all ? (['light', 'dark'] as const) : (['light'] as const)

const server = await TestServer.start()
const browser = await openBrowser()
try {
  await server.dive(2_000, 0.8)
  for (const colorScheme of THEMES) {
    for (const width of SIZES) {
      const viewport = { width, height: Math.round(width > 800 ? width * 0.6 : 1_000) }
      const { page, context } = await openPage(browser, server, '#/', { colorScheme, viewport })
      for (const [name, hash, ready] of VIEWS) {
        await page.goto(`${server.url}/${hash}`)
        await ready(page)
        // Numbers and charts settle within a second.
        await page.waitForTimeout(1_500)
        const file = values.all ? `${name}-${width}-${colorScheme}.png` : `view-${name}.png`
        await page.screenshot({ path: join(out, file), fullPage: values.all ?? false })
        console.log(file)
      }
      await context.close()
    }
  }
} finally {
  await browser.close()
  await server.stop()
}
