import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askedQuestion, CHROMIUM, go, openBrowser, openPage, SKIPPED, TestServer } from '../testing/page.ts'

describe.skipIf(!CHROMIUM)(`review${SKIPPED}`, () => {
  let server: TestServer
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    server = await TestServer.start()
    await server.dive(400)
    browser = await openBrowser()
    page = (await openPage(browser, server, '#/systems/dive/review')).page
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  const asked = (of = page, other = -1) => askedQuestion(of, other)
  /** The newest answer, once it is one to this question. */
  const recorded = async (assessment: number) => {
    await expect.poll(async () => (await server.answers())[0].body.assessment).toBe(assessment)
    const { kind: record, body } = (await server.answers())[0]
    return { record, kind: body.kind, level: body.level, by: body.by }
  }

  it.each([
    ['y', 'confirm', undefined],
    ['n', 'reject', undefined],
    ['1', 'label', 0],
    ['2', 'label', 1],
    ['3', 'label', 2],
  ])('key %s answers %s and goes on to another question', async (key, kind, level) => {
    const question = await asked()
    await page.keyboard.press(key)
    expect(await recorded(question)).toMatchObject({ record: 'feedback', kind, level })
    expect(await asked(page, question)).not.toBe(question)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('question')
  })

  it('key S skips: nothing is recorded, and the question does not come back', async () => {
    const before = (await server.answers()).length
    const skipped = await asked()
    await page.keyboard.press('s')
    for (const key of ['y', 'y']) {
      const question = await asked(page, skipped)
      expect(question).not.toBe(skipped)
      await page.keyboard.press(key)
      await recorded(question)
    }
    expect((await server.answers()).length).toBe(before + 2)
    expect((await server.answers()).some(({ body }) => body.assessment === skipped)).toBe(false)
  })

  it('key C records that one cannot tell, with the note, and others read the comments', async () => {
    const question = await asked()
    const note = page.getByLabel('Note for others')
    await note.fill('the pump was being serviced')
    await page.getByRole('button', { name: 'Add comment' }).click()
    await page.getByRole('listitem').filter({ hasText: 'the pump was being serviced' }).waitFor()
    await note.fill('too little light')
    await note.blur()
    await page.keyboard.press('c')
    await page.getByText('Recorded: cannot tell.').first().waitFor()
    expect(await asked(page, question)).not.toBe(question)
    const { comments } = await server.call('GET', `/v1/systems/dive/comments?assessment=${question}`)
    expect(
      comments.map(({ text, cannotTell = false }: { text: string; cannotTell?: boolean }) => [text, cannotTell]),
    ).toEqual([
      ['the pump was being serviced', false],
      ['too little light', true],
    ])
    await go(page, '#/systems/dive/history?kinds=comment,abstention')
    await page.getByRole('cell', { name: /the pump was being serviced/ }).waitFor()
    await page.getByRole('cell', { name: /too little light/ }).waitFor()
    const { sequence } = await server.call('GET', `/v1/systems/dive/samples/${question}`)
    await go(page, `#/systems/dive/at/${sequence + 1}`)
    await page.getByRole('region', { name: 'Comments' }).getByText('too little light').waitFor()
    await go(page, '#/systems/dive/review')
    await asked()
  })

  it('asks another person for a second opinion, without a trace of the first answer', async () => {
    await server.call('PATCH', '/v1/systems/dive', { review: { secondOpinion: 1 } })
    const question = await asked()
    await page.getByLabel('Note for others').fill('clearly a leak')
    await page.getByRole('button', { name: 'Add comment' }).click()
    await page.getByRole('listitem').filter({ hasText: 'clearly a leak' }).waitFor()
    await page.keyboard.press('3')
    await recorded(question)
    const { page: other, context } = await openPage(browser, server, '#/systems/dive/review?whose=mine')
    await other.getByRole('heading', { name: 'Nothing is assigned to you' }).waitFor()
    const name = await other.evaluate(() => sessionStorage.getItem('pb-oel:guest'))
    await server.call('POST', '/v1/systems/dive/assignments', { assessment: question, to: name, by: 'tester' })
    expect(await asked(other)).toBe(question)
    await other.getByText('A second opinion: somebody else has answered this question.').waitFor()
    expect(await other.locator('main').textContent()).not.toContain('clearly a leak')
    await other.keyboard.press('1')
    await other
      .getByText(/^Second opinion recorded: it was I safe/)
      .first()
      .waitFor()
    await go(other, '#/systems/dive/performance')
    const row = other.getByRole('row').filter({ has: other.getByRole('rowheader', { name: name as string }) })
    expect(await row.textContent()).toContain('0 of 1')
    await server.call('PATCH', '/v1/systems/dive', { review: { secondOpinion: 0 } })
    await context.close()
  })

  it('key U brings the answer back, and the next one is recorded as a correction', async () => {
    const question = await asked()
    await page.keyboard.press('y')
    expect((await recorded(question)).kind).toBe('confirm')
    const following = await asked(page, question)
    await page.keyboard.press('u')
    expect(await asked(page, following)).toBe(question)
    expect(await page.getByRole('status').filter({ hasText: 'Correcting: you said right' }).isVisible()).toBe(true)
    await page.keyboard.press('n')
    await expect.poll(async () => (await server.answers())[0].kind).toBe('correction')
    expect(await recorded(question)).toMatchObject({ record: 'correction', kind: 'reject' })
    expect(await asked(page, question)).toBe(following)
    await expect
      .poll(() => page.getByRole('region', { name: 'Your last answer' }).textContent())
      .toContain('Corrected: wrong.')
  })

  it('an answer that is corrected may also be kept', async () => {
    const question = await asked()
    await page.keyboard.press('3')
    await recorded(question)
    const following = await asked(page, question)
    const count = (await server.answers()).length
    await page.keyboard.press('u')
    await asked(page, following)
    await page.getByRole('button', { name: 'Keep it' }).click()
    expect(await asked(page, question)).toBe(following)
    expect((await server.answers()).length).toBe(count)
  })

  it('key ? lists the keys, Escape closes, and single keys can be turned off', async () => {
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keys of the review' })
    await dialog.waitFor()
    await dialog.getByRole('checkbox', { name: 'Use single keys' }).uncheck()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    const [question, count] = [await asked(), (await server.answers()).length]
    await page.keyboard.press('y')
    await page.waitForTimeout(300)
    expect(await asked()).toBe(question)
    expect((await server.answers()).length).toBe(count)
    await page.getByRole('button', { name: 'Keys' }).click()
    await dialog.getByRole('checkbox', { name: 'Use single keys' }).check()
    await dialog.getByRole('button', { name: 'Close' }).click()
  })

  it('works by touch alone on a phone, with targets of at least 44 pixels', async () => {
    const options = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const { page: phone, context } = await openPage(browser, server, '#/systems/dive/review', options)
    const question = await asked(phone)
    const wrong = phone.getByRole('button', { name: 'Wrong' })
    for (const button of [
      wrong,
      phone.getByRole('button', { name: 'II mildly unsafe' }),
      phone.getByRole('button', { name: 'Undo' }),
    ]) {
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    }
    await wrong.tap()
    expect(await recorded(question)).toMatchObject({ kind: 'reject' })
    const following = await asked(phone, question)
    await phone.getByRole('button', { name: 'Undo' }).tap()
    expect(await asked(phone, following)).toBe(question)
    await context.close()
  })

  it('can be done with roles alone: heading, group of answers, live region', async () => {
    const heading = page.getByRole('heading', {
      level: 2,
      name: /^(Was it really|A test of the model: was it|A guess, not a finding: was it) .+\?/,
    })
    await heading.waitFor()
    const name = (await heading.textContent()) as string
    const answers = page.getByRole('group', { name })
    expect(await answers.getByRole('button').count()).toBe(2)
    expect(await page.getByRole('group', { name: 'It was exactly' }).getByRole('button').count()).toBe(3)
    const question = await asked()
    await answers.getByRole('button', { name: 'Right' }).press('Enter')
    await recorded(question)
    await expect.poll(() => page.getByRole('status').last().textContent()).toMatch(/^Recorded: right\./)
  })

  it('none of these levels: an admin names the new one, and the sample is the first of it', async () => {
    const question = await asked()
    await page.getByRole('button', { name: 'None of these levels' }).click()
    await page.getByLabel('Name of the new level').fill('adrift')
    await page.getByRole('button', { name: 'Add the level and answer' }).click()
    expect(await recorded(question)).toMatchObject({ record: 'feedback', kind: 'label', level: 3 })
    await page.getByRole('button', { name: 'adrift' }).waitFor()
    expect((await server.call('GET', '/v1/systems/dive')).levels[3]).toBe('adrift')
  })
})
