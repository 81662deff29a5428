import type { AssessedSample, AssessedSamples, Chart } from '@pb-oel/protocol'
import { expect, it } from 'vitest'
import { pause } from '../page.ts'
import type { OnDive } from './on-dive.ts'

/** Feed of a system. */
export function feedCases({ server, open }: OnDive): void {
  it('takes values and likely level of a sample from one event, as the server sent them', async () => {
    const { configuration, lastSampleTime, likely: before } = await server().call('GET', '/v1/systems/dive')
    const { samples } = await server().call<AssessedSamples>('GET', '/v1/systems/dive/samples?limit=1')
    const likely = (before + 1) % 3
    const values = (samples[0] as AssessedSample).values.map((_, channel) => 100 + channel)
    const event: AssessedSample = {
      ...(samples[0] as AssessedSample),
      // The probabilities say something else: the page must not compute the likely level by itself.
      ...{ probabilities: [0, 1, 2].map((level) => (level === before ? 0.8 : 0.1)), likely, trained: true },
      ...{ values, sequence: 1_000_000, time: lastSampleTime + 1_000 },
    }
    const { page, context, errors } = await open('#/nowhere')
    await page.route('**/v1/systems/dive/events', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: `id: 1000001\nevent: assessment\ndata: ${JSON.stringify(event)}\n\n`,
      }),
    )
    await page.goto(`${server().url}/#/systems/dive`)
    for (const [channel, name] of configuration.channels.slice(0, 3).entries()) {
      const chart = page
        .getByRole('figure')
        .filter({ has: page.getByTitle(name.replaceAll('_', ' '), { exact: true }) })
      await expect.poll(() => chart.locator('strong').textContent()).toBe((100 + channel).toFixed(1))
    }
    await expect.poll(() => page.locator('.level-large').textContent()).toBe(configuration.levels[likely])
    expect(errors).toEqual([])
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  })

  it('keeps the span that was chosen last when the answer for an earlier one comes late', async () => {
    const { configuration, lastSampleTime } = await server().call('GET', '/v1/systems/dive')
    const chart = await server().call<Chart>('GET', '/v1/systems/dive/chart?points=2')
    const { page, context } = await open('#/nowhere')
    const chosen = Promise.withResolvers<void>()
    await page.route('**/v1/systems/dive/chart?**', async (route) => {
      const from = Number(new URL(route.request().url()).searchParams.get('from'))
      const minutes = Math.round((lastSampleTime - from) / 60_000)
      const values = configuration.channels.map(() => [minutes])
      if (minutes === 1) await chosen.promise
      await route.fulfill({ json: { ...chart, values, times: [lastSampleTime], levels: [0] } })
    })
    const early = page.waitForRequest(/chart\?/)
    await page.goto(`${server().url}/#/systems/dive`)
    await early
    await page.getByRole('button', { name: '5 min' }).click()
    const value = page.getByRole('figure').first().locator('strong')
    await expect.poll(() => value.textContent()).toBe('5.00')
    const late = page.waitForResponse(/chart\?/)
    chosen.resolve()
    await late
    await page.locator('.connection.live').waitFor()
    await pause(700)
    expect(await value.textContent()).toBe('5.00')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  })

  it('shows each sample as it happens', async () => {
    const { page, context, errors } = await open('#/systems/dive')
    const level = page.getByRole('region', { name: 'Level now' })
    await level.waitFor()
    await page.locator('.connection.live').waitFor()
    // Only an event carries the votes of the experts.
    expect(await level.getByRole('heading', { name: 'What the experts say now' }).count()).toBe(0)
    await server().dive((await server().call('GET', '/v1/systems/dive')).samples + 50)
    await level.getByRole('heading', { name: 'What the experts say now' }).waitFor()
    const { configuration, likely } = await server().call('GET', '/v1/systems/dive')
    await expect.poll(() => page.locator('.level-large').textContent()).toBe(configuration.levels[likely])
    expect(errors).toEqual([])
    await context.close()
  })
}
