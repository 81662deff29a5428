import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectSound, violations } from './testing/axe.ts'
import { CHROMIUM, openBrowser, openPage, SKIPPED, TestServer } from './testing/page.ts'
import { VIEWS } from './testing/views.ts'

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

  it.each(VIEWS)(
    'axe finds nothing at level AA, and nothing is wider than the screen: $name, four widths, both themes',
    async ({ hash, ready }) => {
      const { page, context, errors } = await openPage(browser, server, hash, { bypassCSP: true })
      await expectSound(page, () => ready(page))
      expect(errors).toEqual([])
      await context.close()
    },
    120_000,
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

  it('the first load is at most 110 kB after gzip, and everything at most 135 kB', () => {
    const dist = join(import.meta.dirname, '../dist')
    const index = readFileSync(join(dist, 'index.html'), 'utf8')
    const files = globSync(['**/*.html', '**/*.js', '**/*.css', '**/*.svg'], { cwd: dist })
    const sizeOf = (some: string[]) =>
      some.map((file) => gzipSync(readFileSync(join(dist, file))).length).reduce((sum, size) => sum + size, 0)
    const first = files.filter((file) => file === 'index.html' || index.includes(file))
    expect(first.length).toBeGreaterThanOrEqual(4)
    expect(first.length).toBeLessThan(files.length)
    expect(sizeOf(first)).toBeLessThanOrEqual(110_000)
    expect(sizeOf(files)).toBeLessThanOrEqual(135_000)
  })
})
