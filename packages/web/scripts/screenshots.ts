// Pictures of every view, from the real server: node packages/web/scripts/screenshots.ts [--out folder] [--all]
// Without --all: the pictures of the docs. With it: every view at four widths in both themes, to be looked at.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, openPage, TestServer } from '../src/testing/page.ts'
import { VIEWS, type View, WIDTHS } from '../src/testing/views.ts'

const { values } = parseArgs({ options: { out: { type: 'string' }, all: { type: 'boolean' } } })
const { all = false, out = join(import.meta.dirname, '../../../docs/images') } = values
mkdirSync(out, { recursive: true })

/** How the page is looked at. */
interface Look {
  width: number
  colorScheme: 'light' | 'dark'
  views: readonly View[]
  /** The name of the picture of a view. */
  file: (view: string) => string
}

const shown = VIEWS.filter(({ name }) => name !== 'nothing')
const LOOKS: readonly Look[] = all
  ? (['light', 'dark'] as const).flatMap((colorScheme) =>
      WIDTHS.map((width) => ({ width, colorScheme, views: shown, file: (view) => `${view}-${width}-${colorScheme}` })),
    )
  : [
      { width: 1440, colorScheme: 'light', views: shown, file: (view) => view },
      ...[{ width: 1920, colorScheme: 'dark' as const, views: shown.filter(({ name }) => name === 'live') }].map(
        (look) => ({ ...look, file: () => 'control-room' }),
      ),
    ]

/** Charts are drawn when they come into sight. */
async function scrollThrough(page: Page): Promise<void> {
  const height = await page.evaluate(() => document.body.scrollHeight)
  for (let y = 0; y < height; y += 600) {
    await page.mouse.wheel(0, 600)
    await drawn(page)
  }
  await page.mouse.wheel(0, -height)
}

/** Waits until every chart in sight is drawn. */
async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.plot[data-state="waiting"]')].every((plot) => {
      const { top, bottom } = plot.getBoundingClientRect()
      return bottom < 0 || top > innerHeight
    }),
  )
}

async function take(browser: Browser, server: TestServer, { width, colorScheme, views, file }: Look): Promise<void> {
  const viewport = { width, height: Math.round(width > 800 ? width * 0.6 : 1_000) }
  const { page, context } = await openPage(browser, server, '#/', { colorScheme, viewport })
  for (const { name, hash, ready } of views) {
    await page.goto(`${server.url}/${hash}`)
    await ready(page)
    await drawn(page)
    if (all) await scrollThrough(page)
    // Numbers settle within a second.
    await page.waitForTimeout(1_500)
    await page.screenshot({ path: join(out, `${file(name)}.png`), fullPage: all })
    console.log(`${file(name)}.png`)
  }
  await context.close()
}

const server = await TestServer.start()
const browser = await openBrowser()
try {
  await server.dive(1_500, 0.8)
  await server.call('PATCH', '/v1/simulation', { speed: 20, answers: 0.8 })
  // Half a minute of samples as they come fills the charts.
  await new Promise((done) => setTimeout(done, 30_000))
  for (const look of LOOKS) await take(browser, server, look)
} finally {
  await browser.close()
  await server.stop()
}
