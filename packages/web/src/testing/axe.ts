import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { WIDTHS } from './views.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const LEVEL_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules that a theme can break; all others see the same page in both. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** What axe finds, one line each. */
export async function violations(page: Page, colours = false): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const runOnly = colours ? { type: 'rule', values: COLOUR_RULES } : { type: 'tag', values: LEVEL_AA }
  return page.evaluate(async (only) => {
    // biome-ignore lint/suspicious/noExplicitAny: axe is put there by the line above
    const { violations } = await (window as any).axe.run(document, { runOnly: only, resultTypes: ['violations'] })
    return violations.map(
      ({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        `${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary}`,
    )
  }, runOnly)
}

/** By how many pixels the page is wider than the screen. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/**
 * Looks at an open page at every width and in both themes: axe finds nothing, and nothing is wider than the screen.
 *
 * @param ready waits until the page shows what is to be looked at, at each size anew
 * @param widths all, unless it is a view in another state: then a desk and a phone are enough
 */
export async function expectSound(page: Page, ready?: () => Promise<unknown>, widths = WIDTHS): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await ready?.()
      const where = `${page.url()}, ${width} px, ${colorScheme}`
      expect(await violations(page, colorScheme === 'dark'), where).toEqual([])
      expect(await overflow(page), `${where}: wider than the screen`).toBe(0)
    }
  }
}

/** A desk and a phone. */
export const ENDS: readonly number[] = [1440, 390]
