import type { Guarantee } from '@pb-oel/protocol'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atLeast, atMost, percent, sureness } from '../strings/format.ts'
import { overflow, violations } from '../testing/axe.ts'
import { CHROMIUM, go, openBrowser, openPage, SKIPPED, TestServer } from '../testing/page.ts'
import { SmallSystem } from '../testing/small-system.ts'

const open = (all: Element[]) => {
  for (const details of all as HTMLDetailsElement[]) details.open = true
}
const card = (page: Page, title: string) => page.getByRole('link', { name: new RegExp(title) })
const level = (page: Page) => page.getByRole('region', { name: 'Level now' })
const promised = (page: Page) => page.getByRole('region', { name: 'Promises' })
const label = (to: number) => ({ kind: 'label', level: to }) as const

describe.skipIf(!CHROMIUM)(`promises on the page${SKIPPED}`, () => {
  let server: TestServer
  let browser: Browser

  beforeAll(async () => {
    server = await TestServer.start()
    await server.dive(400, 1)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  const SCREENS = [
    { colorScheme: 'light', width: 1440 },
    { colorScheme: 'dark', width: 390 },
  ] as const

  it.each(SCREENS)(
    'axe finds nothing on promises with their terms open, nor where a system is untrained: $colorScheme, $width px',
    async ({ colorScheme, width }) => {
      const fresh = await SmallSystem.create(server, `axe-${colorScheme}-${width}`)
      await fresh.send(3, () => label(0))
      const options = { colorScheme, viewport: { width, height: 900 }, bypassCSP: true }
      const { page, context, errors } = await openPage(browser, server, '#/systems/dive', options)
      await promised(page).locator('details').first().waitFor()
      await page.locator('.promise, .by-level').evaluateAll(open)
      for (const help of await page.locator('.help').all()) {
        await help.evaluateAll(open)
        expect(await overflow(page)).toBe(0)
      }
      expect(await violations(page)).toEqual([])
      for (const hash of [`#/systems/${fresh.id}`, `#/systems/${fresh.id}/review`, '#/']) {
        await go(page, hash)
        await page
          .getByText(/Untrained/)
          .first()
          .waitFor()
        expect(await violations(page), hash).toEqual([])
        expect(await overflow(page), hash).toBe(0)
      }
      expect(errors).toEqual([])
      await context.close()
    },
  )

  it('a system that has learned nothing says so everywhere, and shows no level until it is trained', async () => {
    const fresh = await SmallSystem.create(server, 'fresh')
    await fresh.send(1)
    const { page, context, errors } = await openPage(browser, server, '#/')
    await card(page, 'System fresh').getByText('Untrained', { exact: true }).waitFor()
    expect(await card(page, 'System fresh').textContent()).not.toMatch(/safe|%|warning|danger/)

    await card(page, 'System fresh').click()
    await level(page).getByText('Untrained: no level yet').waitFor()
    await level(page).getByText('No answer has told a level yet. 5 answers for one level are needed first.').waitFor()
    expect(await level(page).textContent()).not.toContain('%')
    expect(await level(page).locator('[class*=tone-]').count()).toBe(0)
    expect(await level(page).textContent()).not.toContain('Never told')
    // On a slow machine the dive, which stands still, may call by then.
    await expect.poll(() => page.title()).toMatch(/^(⚠ \d+ alarms? · )?Untrained · Live · System fresh/)
    expect(await promised(page).textContent()).toContain('No promise while the system is untrained.')

    await fresh.send(3, (_, number) => label(number === 0 ? 2 : 0))
    await level(page).getByText('Still needed: 3 more answers for safe, 4 more answers for danger.').waitFor()

    await level(page).getByRole('link', { name: 'Answer questions' }).click()
    await page.getByRole('heading', { name: /^A guess, not a finding: was it / }).waitFor()
    await page.getByText('Still needed: 3 more answers for safe').waitFor()
    expect(await page.locator('.ask h2 [class*=tone-]').count()).toBe(0)
    expect(await page.locator('.why').textContent()).not.toContain('Confidence')
    await expect.poll(() => page.title()).toMatch(/^(⚠ \d+ alarms? · )?Untrained · Review/)

    await fresh.send(7, (_, number) => label(number < 3 ? 0 : 2))
    await fresh.send(1)
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    await level(page).getByLabel('What does confidence mean?').waitFor()
    await expect.poll(() => level(page).textContent()).not.toContain('Untrained')
    await level(page).getByText('Never told: warning. It cannot find a level that nobody has told it.').waitFor()
    await expect.poll(() => page.title()).toMatch(/^(⚠ \d+ alarms? · )?Live · System fresh/)
    expect(errors).toEqual([])
    await context.close()
  })

  it('says each promise as the server keeps it, with its terms a click away', async () => {
    const { promises, regretWithConfidence: regret }: Guarantee = await server.call('GET', '/v1/systems/dive/guarantee')
    if (!promises || !regret) throw new Error('the dive has no promises')
    const { accuracy, misses, missTarget } = promises
    const { page, context, errors } = await openPage(browser, server, '#/systems/dive')
    const checks = accuracy.checks.toLocaleString('en')
    const region = promised(page)
    await region
      .getByText(
        `At least ${atLeast(accuracy.certified)} of all assessments were right, with 95 % confidence, ` +
          `from ${checks} checks.`,
      )
      .click()
    const terms = region.locator('details[open]')
    expect(await terms.textContent()).toContain(`checks${checks}`)
    expect(await terms.textContent()).toContain('A check counts as wrong until an answer says that it was right.')
    const all = (await region.textContent())?.replaceAll('\u00a0', ' ')
    expect(all).toContain(`At most ${atMost(1 - misses.certified)} of all samples were assessed safer than they are`)
    expect(all).toContain(`At most ${atMost(missTarget)} of samples are less safe than the safe-side level says`)
    expect(all).toContain(`Of the latest ${promises.windowAccuracy.samples.toLocaleString('en')}`)
    expect(all).toContain(
      regret.value < 0 ? 'beat every expert' : `No expert was better by more than ${atMost(regret.value)} of samples`,
    )
    await region.getByText(/The confidence shown was off by/).click()
    await region.getByRole('img', { name: 'Confidence and share that was right' }).waitFor()
    const seen = promises.reliability.filter(({ weight }) => weight > 0)
    expect(await region.getByRole('row').count()).toBe(1 + seen.length)
    expect(errors).toEqual([])

    const { sequence } = await server.call('GET', '/v1/systems/dive')
    await page.goto(`${server.url}/#/systems/dive/at/${sequence}`)
    await page.getByText(`At least ${atLeast(accuracy.certified)} of all assessments were right`).waitFor()
    await page.goto(`${server.url}/#/`)
    await card(page, 'Simulated dive')
      .getByText(`at least ${atLeast(accuracy.certified)} right`)
      .waitFor()
    await context.close()
  })

  it('says that figures are estimates where questions are chosen, with what is certified', async () => {
    const ask = { strategy: 'random', perThousand: 500, question: 'verdict' }
    const chosen = await SmallSystem.create(server, 'chosen', { method: 'majority', ask })
    await chosen.send(150, ({ asked, level: assessed }) => {
      if (!asked) return undefined
      return assessed === 0 ? { kind: 'confirm' } : { kind: 'reject' }
    })
    const detail = await chosen.detail()
    const { promises }: Guarantee = await chosen.call('GET', '/guarantee')
    expect(detail.estimated).toBe(true)
    const { page, context, errors } = await openPage(browser, server, '#/systems/chosen')
    const performance = page.getByRole('region', { name: 'Performance' })
    await performance.getByText('Accuracy of the latest 500 answers, estimated').waitFor()
    await performance.getByText('misses, estimated').waitFor()
    const certified = promises?.accuracy.certified as number
    expect(certified).toBeGreaterThan(1 / 3)
    await expect
      .poll(async () => (await performance.textContent())?.replaceAll('\u00a0', ' '))
      .toContain(`${percent(detail.accuracy)} overall, between ${atLeast(certified)} and `)
    expect(await performance.textContent()).toContain(`at most ${atMost(1 - (promises?.misses.certified as number))}`)
    await performance.getByText('By assessed level, estimated').click()
    expect(await performance.getByRole('row').count()).toBe(4)
    expect(errors).toEqual([])
    await context.close()
  })

  it('shows the safe-side level beside a lower level', async () => {
    const careful = await SmallSystem.create(server, 'careful', { method: 'majority', promises: { missTarget: 0.001 } })
    // Danger comes as often as it takes to make the rule careful, and safe stays the most frequent level.
    await careful.send(90, (_, number) => label(number % 4 === 3 ? 2 : 0))
    await careful.send(1)
    const { likely, safeSide } = await careful.detail()
    expect([likely, safeSide]).toEqual([0, 2])
    const { page, context, errors } = await openPage(browser, server, '#/')
    await card(page, 'System careful').getByText('On the safe side: danger').waitFor()
    await card(page, 'System careful').click()
    await expect.poll(() => level(page).locator('.safe-side').textContent()).toContain('On the safe side:danger')
    await level(page).getByLabel('What does the safe-side level mean?').click()
    await level(page)
      .getByText(/In the long run at most 0\.1 % of samples are less safe/)
      .waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('shows one number beside a level, and none where another level was drawn to learn', async () => {
    const drawing = await SmallSystem.create(server, 'drawing', { method: 'pb-oel' })
    await drawing.send(30, (_, number) => label(number % 2))
    for (;;) {
      await drawing.send(1)
      const { level: assessed, likely } = await drawing.detail()
      if (assessed === likely) break
    }
    const { page, context, errors } = await openPage(browser, server, '#/systems/drawing')
    const { confidence } = await drawing.detail()
    await expect.poll(() => level(page).locator('.pairs').textContent()).toContain(sureness(confidence))
    const numbers = await level(page)
      .locator(':not(.visually-hidden):not(.help p)')
      .evaluateAll((all) =>
        all.flatMap((one) =>
          [...one.childNodes].filter(({ nodeType }) => nodeType === 3).map((node) => node.textContent ?? ''),
        ),
      )
    expect(numbers.filter((words) => words.includes('%'))).toEqual([sureness(confidence)])
    await level(page).getByLabel('What does confidence mean?').click()
    await level(page)
      .getByText(/How often assessments with such a confidence were right/)
      .waitFor()
    for (;;) {
      await drawing.send(1)
      const { level: assessed, likely } = await drawing.detail()
      if (assessed !== likely) break
    }
    await level(page)
      .getByText(/^Drawn to learn: this sample was assessed as/)
      .waitFor()
    expect(await level(page).locator('.pairs').textContent()).toContain('–')
    await page.goto(`${server.url}/#/`)
    await card(page, 'System drawing').getByText('latest sample drawn to learn').waitFor()
    expect(errors).toEqual([])
    await context.close()
  })

  it('a fall of accuracy is seen in every view, also of other systems, until somebody acknowledges it', async () => {
    const falling = await SmallSystem.create(server, 'falling', {
      method: 'majority',
      promises: { target: 0.9, falseAlarmEvery: 100 },
      // On a slow machine the systems of the other tests call, too, as they have fallen silent. The bar has two lines.
      alarms: { accuracy: { priority: 'critical' } },
    })
    await falling.send(40, () => label(0))
    const { page, context, errors } = await openPage(browser, server, '#/systems/dive/history', { bypassCSP: true })
    const notice = page.locator('.alarm-line').filter({ hasText: 'Accuracy has fallen: System falling.' })
    await page.getByRole('heading', { name: 'History' }).waitFor()
    expect(await notice.count()).toBe(0)
    // Accuracy is judged in blocks of 100 samples.
    await falling.send(60, () => label(1))
    expect((await falling.detail()).accuracyAlarm?.status).toBe('active')
    await notice.waitFor()
    expect(await notice.textContent()).toContain('Fewer than 90.0 % of assessments are right; found at ')
    expect(await violations(page)).toEqual([])
    for (const hash of ['#/', '#/systems/dive', '#/systems/dive/review', '#/systems/falling']) {
      await go(page, hash)
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
      await notice.waitFor()
    }
    await notice.getByRole('button', { name: 'Acknowledge', exact: true }).click()
    await notice.waitFor({ state: 'detached' })
    await page.goto(`${server.url}/#/systems/falling/history`)
    await page.getByText('accuracy alarm 1: Accuracy has fallen, below 90.0 %').waitFor()
    expect(errors).toEqual([])
    await context.close()
  })
})
