import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { overflow, violations } from './testing/axe.ts'
import { CHROMIUM, openBrowser, openPage, SKIPPED, TestServer } from './testing/page.ts'

describe.skipIf(!CHROMIUM)(`the whole page${SKIPPED}`, () => {
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

  const VIEWS: readonly (readonly [string, string, (page: Page) => Promise<unknown>])[] = [
    ['overview', '#/', (page) => page.getByRole('heading', { name: 'Simulated dive' }).waitFor()],
    ['live', '#/systems/dive', (page) => page.getByRole('heading', { name: 'Channels' }).waitFor()],
    ['review', '#/systems/dive/review', (page) => page.getByRole('button', { name: 'Right' }).waitFor()],
    [
      'history',
      '#/systems/dive/history',
      (page) => page.getByRole('cell', { name: 'simulated reviewer' }).first().waitFor(),
    ],
    ['moment', '#/systems/dive/at/300', (page) => page.getByText('State hash').waitFor()],
    ['sign-in', '#/sign-in', (page) => page.getByLabel('Access token').waitFor()],
    ['nothing', '#/nowhere/at/all', (page) => page.getByText('There is nothing here').waitFor()],
  ]
  const SCREENS = [
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 390 },
  ] as const

  it.each(SCREENS)(
    'axe finds nothing at level AA on any view: $colorScheme, $width px',
    async ({ colorScheme, width }) => {
      const options = { colorScheme, viewport: { width, height: 900 }, bypassCSP: true }
      const { page, context, errors } = await openPage(browser, server, '#/', options)
      for (const [name, hash, ready] of VIEWS) {
        await page.evaluate((address) => {
          location.hash = address
        }, hash)
        await ready(page)
        expect(await violations(page), name).toEqual([])
        expect(await overflow(page), `${name} is wider than the screen`).toBe(0)
      }
      expect(errors).toEqual([])
      await context.close()
    },
  )

  it('axe finds nothing in the dialog of keys, while correcting, and when the connection is lost', async () => {
    const { page, context } = await openPage(browser, server, '#/systems/dive/review', { bypassCSP: true })
    await page.getByRole('button', { name: 'Right' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('y')
    await page.getByRole('region', { name: 'Your last answer' }).waitFor()
    await page.keyboard.press('u')
    await page.getByText('Correcting: you said right').waitFor()
    expect(await violations(page)).toEqual([])
    await context.setOffline(true)
    await page.getByRole('alert').filter({ hasText: 'Connection lost' }).waitFor()
    expect(await violations(page)).toEqual([])
    await context.close()
  })

  it('the theme follows the device until it is chosen, and the choice is kept', async () => {
    const { page, context } = await openPage(browser, server, '#/', { colorScheme: 'dark' })
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
    await page.getByRole('button', { name: 'Theme: same as the device' }).click()
    expect(await theme()).toBe('light')
    await page.reload()
    expect(await theme()).toBe('light')
    await page.getByRole('button', { name: 'Theme: light' }).click()
    await page.getByRole('button', { name: 'Theme: dark' }).click()
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(theme).toBe('light')
    await context.close()
  })

  it('the whole bundle is at most 120 kB after gzip', () => {
    const dist = join(import.meta.dirname, '../dist')
    const files = globSync(['**/*.html', '**/*.js', '**/*.css', '**/*.svg'], { cwd: dist })
    const bytes = files.map((file) => gzipSync(readFileSync(join(dist, file))).length)
    expect(files.length).toBeGreaterThanOrEqual(4)
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(120_000)
  })
})
