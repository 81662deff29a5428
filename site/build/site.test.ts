import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  accessibilityProblems,
  CHROMIUM,
  DESKTOP,
  openBrowser,
  openOffline,
  overflows,
  PHONE,
  SKIPPED,
} from '../testing/browser.ts'
import { type BuiltSite, buildSite } from './build-site.ts'

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'pb-oel-site-'))
const page = (path: string) => pathToFileURL(join(folder, path)).href
let site: BuiltSite
let browser: Browser

beforeAll(async () => {
  site = await buildSite(ROOT, folder)
  if (CHROMIUM) browser = await openBrowser()
}, 300_000)

afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true })
})

const htmlFiles = () => globSync('**/*.html', { cwd: folder }).map((file) => file.replaceAll('\\', '/'))
const anchors = new Map<string, Set<string>>()
function anchorsOf(file: string): Set<string> {
  const known = anchors.get(file)
  if (known) return known
  const ids = [...readFileSync(file, 'utf8').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  const found = new Set(ids)
  anchors.set(file, found)
  return found
}

/** Links of a built page that lead to no file or no heading. */
function brokenLinks(file: string): string[] {
  const html = readFileSync(join(folder, file), 'utf8')
  return [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].flatMap(([, link]) => {
    if (/^(https?|mailto|data):/.test(link)) return []
    const address = new URL(link.replaceAll('&amp;', '&'), page(file))
    const target = fileURLToPath(new URL(address.pathname, 'file://'))
    if (!existsSync(target)) return [`${file}: ${link}`]
    const anchor = decodeURIComponent(address.hash.slice(1))
    // The playground keeps its settings behind the #.
    if (anchor === '' || target.includes('/playground/') || anchorsOf(target).has(anchor)) return []
    return [`${file}: ${link}: no such heading`]
  })
}

describe('the docs site', () => {
  it('has every page of docs/, the reference of four kinds, and no link that leads nowhere', () => {
    expect(site.broken).toEqual([])
    for (const doc of globSync('docs/**/*.md', { cwd: ROOT })) {
      const path = doc
        .replaceAll('\\', '/')
        .replace(/^docs\//, '')
        .replace(/README\.md$/, 'index.md')
        .replace(/\.md$/, '.html')
      expect(existsSync(join(folder, path)), path).toBe(true)
    }
    const reference = ['commands', 'http', 'api/index', 'api/@pb-oel/core/classes/PbOel']
    for (const name of reference) expect(existsSync(join(folder, `reference/${name}.html`)), name).toBe(true)
    expect(htmlFiles().flatMap(brokenLinks)).toEqual([])
  })

  it('takes commands, requests and options from the product itself', () => {
    const text = (path: string) => readFileSync(join(folder, path), 'utf8')
    expect(text('reference/commands.html')).toContain('pb-oel data export')
    expect(text('reference/http.html')).toContain('POST /v1/systems/:id/samples')
    expect(text('reference/events.html')).toContain('pb-oel/:system/assessment')
    expect(text('options.html')).toContain('<code>alpha</code>')
    expect(text('reference/api/@pb-oel/core/classes/PbOel.html')).toContain('Algorithm 1 of the paper')
  })

  it('needs at most 200 kB, packed, before the first interaction, on every page', () => {
    const packed = (file: string) => gzipSync(readFileSync(file)).length
    const heavy = htmlFiles().filter((file) => {
      const html = readFileSync(join(folder, file), 'utf8')
      const eager = [...html.matchAll(/<(?:script[^>]* src|link[^>]* href|img[^>]* src)="([^"]+)"[^>]*>/g)]
      const files = eager
        .filter(([tag]) => !tag.includes('loading="lazy"'))
        .map(([, link]) => join(folder, dirname(file), link))
      const sizes = [...new Set(files)].map((path) => (path.endsWith('.png') ? statSync(path).size : packed(path)))
      return sizes.reduce((sum, size) => sum + size, packed(join(folder, file))) > 200_000
    })
    expect(heavy).toEqual([])
  })
})

describe.skipIf(!CHROMIUM)(`the docs site in a browser${SKIPPED}`, () => {
  it.each([
    { colorScheme: 'light', viewport: DESKTOP },
    { colorScheme: 'dark', viewport: PHONE },
  ] as const)('axe finds nothing, and nothing is too wide: $colorScheme, $viewport.width px', async (options) => {
    const { page: view, context, errors } = await openOffline(browser, page('index.html'), options)
    const dark = options.colorScheme === 'dark'
    // One page of each make, then others of the same.
    const makes = ['index', 'paper', 'reference/commands', 'reference/api/@pb-oel/core/classes/PbOel', 'glossary']
    const others = ['tutorial', 'faq', 'coming-from', 'how-to/admin', 'options', 'reference/http']
    for (const path of [...makes, ...others]) {
      await view.goto(page(`${path}.html`))
      if (!dark || makes.includes(path)) expect(await accessibilityProblems(view, dark), path).toEqual([])
      expect(await overflows(view), `${path} is wider than the screen`).toBe(false)
    }
    expect(errors).toEqual([])
    await context.close()
  })

  it('searches from disk, by keyboard', async () => {
    const { page: view, context, errors } = await openOffline(browser, page('faq.html'))
    await view.keyboard.press('/')
    await view.keyboard.type('restart exponent')
    await view.getByRole('option').first().waitFor()
    expect(await accessibilityProblems(view)).toEqual([])
    await view.keyboard.press('ArrowDown')
    await view.keyboard.press('Enter')
    await view.waitForURL((url) => !url.pathname.endsWith('/faq.html'))
    expect(await view.locator('article').innerText()).toMatch(/restart/i)
    expect(errors).toEqual([])
    await context.close()
  })

  it('keeps the theme from page to page and into the playground', async () => {
    const { page: view, context } = await openOffline(browser, page('index.html'), { colorScheme: 'light' })
    const theme = () => view.evaluate(() => document.documentElement.dataset.theme)
    expect(await theme()).toBe('light')
    await view.getByRole('button', { name: 'Turn the theme' }).click()
    await view.getByRole('link', { name: 'Try it in the browser' }).click()
    await view.getByRole('button', { name: 'Run', exact: true }).waitFor()
    expect(await theme()).toBe('dark')
    await context.close()
  })
})
