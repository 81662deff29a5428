import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectSound, violations } from './testing/axe.ts'
import { onOneDive } from './testing/cases/on-dive.ts'
import { CHROMIUM, go, SKIPPED } from './testing/page.ts'
import { VIEWS } from './testing/views.ts'

describe.skipIf(!CHROMIUM)(`the whole page${SKIPPED}`, () => {
  const { open } = onOneDive()

  describe('axe finds nothing at level AA, and nothing is wider than the screen, at four widths, in both themes', () => {
    let opened: Awaited<ReturnType<typeof open>>
    beforeAll(async () => {
      opened = await open('#/', { bypassCSP: true })
    })
    afterAll(() => opened?.context.close())

    it.each(VIEWS)('$name', async ({ hash, ready }) => {
      const { page, errors } = opened
      await go(page, hash)
      await expectSound(page, () => ready(page))
      expect(errors).toEqual([])
    })
  })

  it('Tab goes through every view and comes back: the focus is always in sight and never trapped', async () => {
    const { page, context } = await open('#/')
    await page.evaluate(() => {
      const seen: string[] = []
      Object.assign(window, { seen })
      addEventListener('focusin', ({ target }) => {
        const element = target as HTMLElement
        const framed = [element, element.closest('label'), element.closest('.plot')].some((one) => {
          const { outlineStyle, outlineWidth } = one
            ? getComputedStyle(one)
            : { outlineStyle: 'none', outlineWidth: '0' }
          return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
        })
        const { top, bottom, left, right } = element.getBoundingClientRect()
        const inSight = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
        const name = element.className === 'skip' ? 'skip' : element.outerHTML.slice(0, 90)
        seen.push(framed && inSight ? name : `out of sight or without a frame: ${name}`)
      })
    })
    for (const { name, hash, ready } of VIEWS) {
      await go(page, hash)
      await ready(page)
      // The page moves the focus to a new view after the next frame.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      const take = () => page.evaluate(() => (window as unknown as { seen: string[] }).seen.splice(0))
      await page.evaluate(() => (document.activeElement as HTMLElement).blur())
      await take()
      const seen: string[] = []
      while (seen.lastIndexOf('skip') <= seen.indexOf('skip') && seen.length < 400) {
        for (let i = 0; i < 20; i++) await page.keyboard.press('Tab')
        seen.push(...(await take()))
      }
      expect(
        seen.filter((one) => one.startsWith('out of sight')),
        name,
      ).toEqual([])
      expect(seen.filter((one) => one === 'skip').length, `${name}: Tab does not come back`).toBeGreaterThanOrEqual(2)
    }
    await context.close()
  }, 120_000)

  it('axe finds nothing in the dialog of keys, while correcting, and when the connection is lost', async () => {
    const { page, context } = await open('#/systems/dive/review', { bypassCSP: true })
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
    const { page, context } = await open('#/', { colorScheme: 'dark' })
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
