import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { go } from '../page.ts'
import { SmallSystem } from '../small-system.ts'
import type { OnDive } from './on-dive.ts'

/** History. */
export function historyCases({ server, open }: OnDive): void {
  it('an admin makes the model forget the sample of a moment, and the history says so', async () => {
    const system = await SmallSystem.create(server(), 'torn')
    await system.send(6, (_, i) => ({ kind: 'label', level: i % 3 }))
    const { page, context, errors } = await open('#/systems/torn/at/8')
    const forget = page.getByRole('button', { name: 'Forget the sample of assessment 2' })
    await forget.waitFor()
    expect(await forget.isDisabled()).toBe(true)
    await page.getByLabel('Why', { exact: true }).fill('the sensor was torn off')
    await forget.click()
    await page.getByText('The model has forgotten 1 sample.').waitFor()
    expect((await system.detail()).excluded).toBe(1)
    await forget.click()
    await page.getByText('Nothing was forgotten: assessments 2 to 2 are excluded already').waitFor()
    await page.getByRole('button', { name: 'Forget every sample behind record 8' }).click()
    await page.getByText('The model has forgotten 3 samples.').waitFor()
    await page.goto(`${server().url}/#/systems/torn/history`)
    await page.getByText('the model forgets assessment 2: the sensor was torn off').waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('a link to a moment opens the state of that moment, rebuilt from the log', async () => {
    const at = 321
    const state = await server().call('GET', `/v1/systems/dive/state?at=${at}`)
    const { page, context } = await open(`#/systems/dive/at/${at}`)
    await page.getByRole('heading', { name: `After record ${at}` }).waitFor()
    await page.getByText(state.stateHash).waitFor()
    expect(await page.locator('.level-large').textContent()).toBe(
      state.system.configuration.levels[state.system.likely],
    )
    expect(await page.locator('tr[aria-current] a').textContent()).toBe(String(at))
    await page.getByRole('link', { name: 'Earlier' }).click()
    await page.getByRole('heading', { name: `After record ${at - 100}` }).waitFor()
    expect(page.url()).toContain(`#/systems/dive/at/${at - 100}`)
    await context.close()
  })

  it('waits for a moment that is turned away first, and then takes longer than other requests may', async () => {
    const { page, context } = await open('#/systems/dive')
    await page.locator('.level-large').waitFor()
    // Time limits of requests end when the test says so.
    await page.evaluate(() => {
      const limits: { milliseconds: number; end: AbortController }[] = []
      AbortSignal.timeout = (milliseconds) => {
        const end = new AbortController()
        limits.push({ milliseconds, end })
        return end.signal
      }
      Object.assign(window, { limits })
    })
    const [asked, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let times = 0
    await page.route('**/state?*', async (route) => {
      if (times++ === 0) return route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{}' })
      asked.resolve()
      await slow.promise
      await route.continue()
    })
    await go(page, '#/systems/dive/at/300')
    await page.getByText('The server is rebuilding other moments.').waitFor()
    await asked.promise
    await page.evaluate(() => {
      const { limits } = window as unknown as { limits: { milliseconds: number; end: AbortController }[] }
      for (const { milliseconds, end } of limits) if (milliseconds <= 60_000) end.abort()
    })
    slow.resolve()
    await page.locator('.hash').waitFor()
    expect(times).toBe(2)
    await context.close()
  })

  it('the history filters by kind and person, jumps to a record, and exports what it shows', async () => {
    await server().call('PATCH', '/v1/systems/dive', { title: 'Dive 7' })
    const { page, context } = await open('#/systems/dive/history')
    await page.getByRole('cell', { name: 'simulated reviewer' }).first().waitFor()
    await page.getByRole('checkbox', { name: 'answer' }).uncheck()
    await page.getByRole('cell', { name: 'simulated reviewer' }).first().waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'simulator' }).waitFor()
    await page.getByLabel('Who').fill('local')
    await page.getByRole('cell', { name: 'simulator' }).waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: '{"title":"Dive 7"}' }).waitFor()
    // The filters stand in the address.
    await page.reload()
    await page.getByRole('cell', { name: '{"title":"Dive 7"}' }).waitFor()
    expect(await page.getByLabel('Who').inputValue()).toBe('local')
    expect(await page.getByRole('checkbox', { name: 'answer' }).isChecked()).toBe(false)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const csv = readFileSync(await download.path(), 'utf8').split('\r\n')
    expect(csv[0]).toBe('record,time,kind,who,details,hash')
    expect(csv).toHaveLength(2)
    expect(csv[1]).toContain('configuration,local,"{""title"":""Dive 7""}"')
    await server().call('PATCH', '/v1/systems/dive', { title: 'Simulated dive' })
    await page.getByLabel('Go to').fill('200')
    await page.getByRole('button', { name: 'Go', exact: true }).click()
    await page.getByRole('heading', { name: 'After record 200' }).waitFor()
    await context.close()
  })
}
