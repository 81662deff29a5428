import { describe, expect, it } from 'vitest'
import { localServer } from '../testing/local-server.ts'
import { send } from '../testing/requests.ts'

const server = await localServer()
const base = `${server.url}/v1/systems/plant`

describe('a list', () => {
  it('of samples is assessed in order, and a wrong one is a problem with its index', async () => {
    const { status, body } = await send(`${base}/samples`, 'POST', [
      { values: [1, 2] },
      { values: [1] },
      { values: [3, 4] },
    ])
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { assessment: 0, sequence: 2 },
      { index: 1, status: 422, detail: 'sample: expected 2 values, got 1' },
      { assessment: 1, sequence: 4 },
    ])
  })

  it('of answers is learned in order', async () => {
    const answers = [
      { assessment: 0, kind: 'label', level: 'unsafe' },
      { assessment: 0, kind: 'confirm' },
      { assessment: 1, kind: 'label', level: 0 },
    ]
    const { body } = await send(`${base}/feedback`, 'POST', answers)
    expect(body).toMatchObject([{ assessment: 0 }, { index: 1, status: 409 }, { assessment: 1 }])
  })

  it('without entries, or with too many, is refused', async () => {
    expect((await send(`${base}/samples`, 'POST', [])).status).toBe(400)
    const many = Array.from({ length: 10_001 }, () => 0)
    expect((await send(`${base}/samples`, 'POST', many)).body.detail).toContain('1 to 10000')
  })
})

describe('a level by name', () => {
  it('is the same as its index, and keeps the key the same', async () => {
    const { body } = await send(`${base}/samples`, 'POST', { values: [5, 6] })
    const answer = { assessment: body.assessment, kind: 'label', level: 'odd', key: 'once' }
    expect((await send(`${base}/feedback`, 'POST', answer)).status).toBe(200)
    expect((await send(`${base}/feedback`, 'POST', { ...answer, level: 1 })).body).toMatchObject({ repeated: true })
    const { records } = (await send(`${base}/log?kinds=feedback&latest=true&limit=1`, 'GET')).body
    expect(records[0].body.level).toBe(1)
  })

  it('that does not exist is refused with those that do', async () => {
    const { body } = await send(`${base}/samples`, 'POST', { values: [5, 6] })
    const wrong = await send(`${base}/feedback`, 'POST', {
      assessment: body.assessment,
      kind: 'label',
      level: 'Unsafe',
    })
    expect(wrong.status).toBe(422)
    expect(wrong.body.detail).toContain('safe, odd, unsafe')
  })
})

describe('a moment', () => {
  it('in ISO 8601 is kept as milliseconds', async () => {
    const at = '2026-11-15T12:00:00.5+02:00'
    const { body } = await send(`${base}/samples`, 'POST', { values: [5, 6], at })
    const sample = (await send(`${base}/samples/${body.assessment}`, 'GET')).body
    expect(sample.at).toBe(Date.UTC(2026, 10, 15, 10, 0, 0, 500))
  })

  it('without its zone, or that never was, is refused', async () => {
    for (const at of ['2026-11-15T12:00:00', '2026-02-30T12:00:00Z', '2026-11-15', 'noon', -1]) {
      const { status, body } = await send(`${base}/samples`, 'POST', { values: [5, 6], at })
      expect([at, status]).toEqual([at, 400])
      expect(body.detail).toMatch(/^sample\/at/)
    }
  })

  it('stands in queries too', async () => {
    const now = new Date(Date.now() + 1000).toISOString()
    expect((await send(`${base}/samples?to=${now}`, 'GET')).body.samples.length).toBeGreaterThan(0)
    expect((await send(`${base}/samples?from=${now}`, 'GET')).body.samples).toEqual([])
    expect((await send(`${base}/state?time=${now}`, 'GET')).status).toBe(200)
  })
})
