import { describe, expect, it } from 'vitest'
import { memoryApp } from '../testing/memory-app.ts'

describe('what if, over HTTP', () => {
  it('compares with another method, and refuses one that there is not', async () => {
    const { app } = await memoryApp()
    const call = (url: string, payload: object) =>
      app.inject({ method: 'POST', url: `/v1/systems/plant${url}`, payload })
    const rows = Array.from({ length: 30 }, (_, t) => ({ values: [t % 3, t], trueLevel: t % 3 }))
    await call('/samples', rows)
    const { statusCode, body } = await call('/what-if', { method: 'no-change' })
    expect(statusCode).toBe(200)
    expect(JSON.parse(body)).toMatchObject({ method: 'no-change', samples: 30, comparable: 30, undecided: 0 })
    const wrong = await call('/what-if', { method: 'magic' })
    expect(wrong.statusCode).toBe(422)
    expect(wrong.json().detail).toContain('method')
  })

  it('what each reviewer said is counted, with what others corrected', async () => {
    const { app } = await memoryApp()
    const call = (url: string, payload: object) =>
      app.inject({ method: 'POST', url: `/v1/systems/plant${url}`, payload })
    for (let t = 0; t < 6; t++) await call('/samples', { values: [t, t] })
    await call('/feedback', { assessment: 0, kind: 'confirm', by: 'eva' })
    await call('/feedback', { assessment: 1, kind: 'label', level: 2, by: 'eva' })
    await call('/feedback', { assessment: 1, kind: 'label', level: 0, correction: true, by: 'max' })
    await call('/stretches', { from: 0, to: 8e12, kind: 'label', level: 1, by: 'max' })
    const { reviewers } = (await app.inject('/v1/systems/plant/reviewers')).json()
    expect(reviewers).toMatchObject([
      { by: 'max', answers: 1, stretches: 1, stretchAnswers: 4, corrected: 0 },
      { by: 'eva', answers: 2, right: 1, stretches: 0, corrected: 1 },
    ])
  })
})
