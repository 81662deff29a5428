import { expect, it } from 'vitest'
import type { OnDive } from './on-dive.ts'

/** Performance. */
export function performanceCases({ server, open }: OnDive): void {
  it('shows progress, misses, false alarms and the effect of an answer as the server reports them', async () => {
    const { page, context, errors } = await open('#/')
    const weights = [0.7, ...Array(9).fill(0.3 / 9)]
    await page.route('**/v1/systems/dive', async (route) => {
      const detail = await (await route.fetch()).json()
      const counts = { ...detail.counts, misses: 12, falseAlarms: 34 }
      await route.fulfill({ json: { ...detail, counts, weights, restarts: 2 } })
    })
    const point = { accuracy: 0.9, recentAccuracy: 0.95, ultimate: 0.97, bestExpertAccuracy: 0.93, value: 0.5, weights }
    const points = [1, 2, 3].map((i) => ({ ...point, sequence: i, time: 1_700_000_000_000 + 1000 * i }))
    await page.route('**/v1/systems/dive/progress', (route) => route.fulfill({ json: { points } }))
    await page.route('**/v1/systems/dive/feedback', async (route) => {
      const receipt = await (await route.fetch()).json()
      const effect = { accuracy: [0.9, 0.91], weights: [weights, [0.72, 0.28 - 0.3, ...weights.slice(2)]] }
      await route.fulfill({ json: { ...receipt, effect } })
    })
    await page.getByRole('link', { name: /Simulated dive/ }).click()
    await page.getByRole('img', { name: 'Weights of the experts over time' }).waitFor()
    const experts = page.getByRole('region', { name: 'Weight of each expert' }).getByRole('listitem')
    expect(await experts.first().textContent()).toBe('Expert 170.0 %')
    const performance = page.getByRole('region', { name: 'Performance' })
    expect(await performance.textContent()).toMatch(/; 12 answers.*false alarms.*; 34 answers.*weight restarts2/)
    expect(await performance.getByRole('listitem').allTextContents()).toContain(`Best expert${await best()} %`)
    await page
      .getByRole('link', { name: /^Review/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Right' }).click()
    const last = page.getByRole('region', { name: 'Your last answer' })
    await expect
      .poll(() => last.textContent())
      .toContain('accuracy 90.00 % → 91.00 %; expert 2: −5.3 points of weight; expert 1: +2.0')
    expect(errors).toEqual([])
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()

    /** The newest point is the server's own word. */
    async function best(): Promise<string> {
      return (100 * (await server().call('GET', '/v1/systems/dive/guarantee')).bestExpertAccuracy).toFixed(1)
    }
  })
}
