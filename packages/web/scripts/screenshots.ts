// Pictures of every view, from the real server: node packages/web/scripts/screenshots.ts [--out folder] [--all]
// Without --all: the pictures of docs/web.md. With it: every view at four widths in both themes, to be looked at.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { openBrowser, openPage, TestServer } from '../src/testing/page.ts'
import { VIEWS, WIDTHS } from '../src/testing/views.ts'

const { values } = parseArgs({ options: { out: { type: 'string' }, all: { type: 'boolean' } } })
const out = values.out ?? join(import.meta.dirname, '../../../docs/images')
mkdirSync(out, { recursive: true })

/** Charts are drawn when they come into sight. */
async function scrollThrough(page: Page): Promise<void> {
  for (let y = 0; y < (await page.evaluate(() => document.body.scrollHeight)); y += 600) {
    await page.mouse.wheel(0, 600)
    await page.waitForTimeout(150)
  }
}

const SIZES = values.all ? WIDTHS : [1440]
const THEMES = values.all ? (['light', 'dark'] as const) : (['light'] as const)

const server = await TestServer.start()
const browser = await openBrowser()
try {
  await server.dive(2_000, 0.8)
  for (const colorScheme of THEMES) {
    for (const width of SIZES) {
      const viewport = { width, height: Math.round(width > 800 ? width * 0.6 : 1_000) }
      const { page, context } = await openPage(browser, server, '#/', { colorScheme, viewport })
      for (const { name, hash, ready } of VIEWS.filter((view) => view.name !== 'nothing')) {
        await page.goto(`${server.url}/${hash}`)
        await ready(page)
        if (values.all) await scrollThrough(page)
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
