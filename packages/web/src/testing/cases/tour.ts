import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { OnDive } from './on-dive.ts'

const GLOSSARY = readFileSync(join(import.meta.dirname, '../../../../../docs/glossary.md'), 'utf8')

/** The tour. */
export function tourCases({ server, open }: OnDive): void {
  it('has three steps that lead to their places, and every term of the glossary', async () => {
    const { page, context, errors } = await open('#/')
    await page.locator('.person summary').click()
    await page.getByRole('link', { name: 'Tour and terms' }).click()
    await expect.poll(() => page.locator('.tour-steps > li').count()).toBe(3)
    const rows = GLOSSARY.match(/^\| (?!word \||---)/gm)?.filter((row) => !row.startsWith('|-')).length ?? 0
    const words = GLOSSARY.match(/^\|---/gm)?.length ?? 0
    expect(rows).toBeGreaterThan(50)
    expect(words).toBeGreaterThan(3)
    expect(await page.locator('.terms-list dt').count()).toBe(rows)
    await page.getByRole('searchbox', { name: 'Search the terms' }).fill('safer than the truth')
    await expect.poll(() => page.locator('.terms-list dt').allTextContents()).toEqual(['miss'])
    await page.getByRole('link', { name: 'Answer a question' }).click()
    await page.getByRole('heading', { name: 'Review' }).waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('the simulated dive is sped up and started over from the live view', async () => {
    const { page, context } = await open('#/systems/dive')
    const values = async () => (await server().call('GET', '/v1/systems/dive')).lastValues as number[]
    await page.getByRole('button', { name: 'Start a new dive' }).click()
    await page.getByRole('status').filter({ hasText: 'A new dive has begun.' }).waitFor({ state: 'attached' })
    const before = await values()
    await page.getByLabel('Speed').selectOption('100/s')
    await expect.poll(values).not.toEqual(before)
    await context.close()
  })
}
