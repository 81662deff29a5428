import { expect, it, onTestFinished } from 'vitest'
import type { OnDive } from './on-dive.ts'

/** Live view. */
export function liveCases({ server, open }: OnDive): void {
  it('the live view follows, stands still, goes back in time and shows chosen channels', async () => {
    const { page, context, errors } = await open('#/systems/dive')
    await page.getByRole('img', { name: 'depth over time' }).waitFor()
    expect(await page.getByRole('img', { name: /over time$/ }).count()).toBeGreaterThanOrEqual(24)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Follow' }).waitFor()
    const shown = () => page.locator('.window-words').textContent()
    const before = await shown()
    await page.getByRole('button', { name: 'Back in time' }).click()
    await expect.poll(shown).not.toBe(before)
    await page.getByRole('button', { name: 'Follow' }).click()
    await expect.poll(shown).toMatch(/^following/)
    await page.getByText('Choose channels').first().click()
    await page.getByRole('checkbox', { name: 'depth', exact: true }).uncheck()
    await page.getByRole('img', { name: 'depth over time' }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('23 of 24 shown').waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('never says that no samples arrive while they do, also when its counts come close together', async () => {
    await server().call('PATCH', '/v1/simulation', { speed: 200, answers: 0.5 })
    // Also where it fails: the tests behind it want a dive that stands still.
    onTestFinished(() => server().call('PATCH', '/v1/simulation', { speed: 0 }))
    const { page, context } = await open('#/systems/dive')
    const rate = page.getByText('Arriving').locator('xpath=../dd')
    await rate.waitFor()
    const said = new Set<string>()
    const listen = async () => said.add((await rate.textContent()) as string)
    await expect.poll(listen).toSatisfy(() => [...said].some((text) => /^[1-9]\d* samples/.test(text)))
    // Each change lets the page ask at once, however shortly before it has asked.
    for (let i = 0; i < 20; i++) {
      await server().call('PATCH', '/v1/systems/dive', { title: `dive ${i}` })
      await listen()
    }
    expect([...said].filter((text) => /^[0<]/.test(text))).toEqual([])
    await context.close()
  })

  it('says while a system takes no events, and shows no level as fresh', async () => {
    const { page, context } = await open('#/systems/dive')
    const level = page.getByRole('region', { name: 'Level now' })
    await level.waitFor()
    const detail = '**/v1/systems/dive'
    await page.route(detail, (route) => route.fulfill({ status: 507, json: { detail: 'the disk is full' } }))
    await level.getByText('The server takes no samples for this system right now.').waitFor()
    expect(await level.getAttribute('class')).toContain('stale')
    await page.unroute(detail)
    await level.getByText('The server takes no samples').waitFor({ state: 'detached' })
    await context.close()
  })
}
