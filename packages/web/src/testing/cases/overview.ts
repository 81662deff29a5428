import type { SystemList } from '@pb-oel/protocol'
import { expect, it } from 'vitest'
import type { OnDive } from './on-dive.ts'

/** Overview. */
export function overviewCases({ server, open }: OnDive): void {
  it('shows the likely level of each system', async () => {
    const { page, context, errors } = await open('#/')
    const { levels, likely } = await server().call('GET', '/v1/systems/dive')
    await page
      .getByRole('link', { name: /Simulated dive/ })
      .getByText(levels[likely], { exact: true })
      .waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('shows no level of a system that is not ready', async () => {
    const { page, context, errors } = await open('#/nowhere')
    await page.route('**/v1/systems', async (route) => {
      const { systems }: SystemList = await (await route.fetch()).json()
      const unready = { ready: false, level: null, levelName: null, likely: null, confidence: null, probabilities: [] }
      await route.fulfill({ json: { systems: systems.map((system) => ({ ...system, ...unready })) } })
    })
    await page.getByRole('link', { name: 'All systems', exact: true }).click()
    const system = page.getByRole('link', { name: /Simulated dive/ })
    await system.getByText('Level not known').waitFor()
    await system.getByText('takes no samples now').waitFor()
    expect(errors).toEqual([])
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  })
}
