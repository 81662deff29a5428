import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { WIDTHS } from './views.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const LEVEL_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds, one line each. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async (tags) => {
    // biome-ignore lint/suspicious/noExplicitAny: axe is put there by the line above
    const { violations } = await (window as any).axe.run(document, { runOnly: { type: 'tag', values: tags } })
    return violations.map(
      ({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        `${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary}`,
    )
  }, LEVEL_AA)
}

/** By how many pixels the page is wider than the screen. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/**
 * Looks at an open page at every width and in both themes: axe finds nothing, and nothing is wider than the screen.
 *
 * @param ready waits until the page shows what is to be looked at, at each size anew
 */
export async function expectSound(page: Page, ready?: () => Promise<unknown>): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await ready?.()
      const where = `${page.url()}, ${width} px, ${colorScheme}`
      expect(await violations(page), where).toEqual([])
      expect(await overflow(page), `${where}: wider than the screen`).toBe(0)
    }
  }
}
