import { describe, expect, it } from 'vitest'
import { decodeBody, encodeBody, UnknownVersion } from './record-body.ts'

const channels = ['depth', 'oxygen']
const decoded = (kind: Parameters<typeof decodeBody>[0], body: object) =>
  decodeBody(kind, JSON.stringify(body), channels)

describe('the body of a record', () => {
  it('begins with its version, and comes back without it', () => {
    const body = { number: 3, by: 'eva' }
    expect(encodeBody(body)).toBe('{"version":2,"number":3,"by":"eva"}')
    expect(decodeBody('acknowledgement', encodeBody(body), channels)).toEqual({ version: 2, body })
  })

  it('of version 1 has the present names', () => {
    expect(decoded('sample', { values: [1, 2], held: [1], by: 'x' })).toEqual({
      version: 1,
      body: { values: [1, 2], degraded: ['oxygen'], by: 'x' },
    })
    expect(decoded('assessment', { id: 4, level: 0, asked: false }).body).toEqual({
      ...{ assessment: 4, level: 0, asked: false },
    })
    expect(decoded('correction', { assessment: 4, answer: 'label', level: 1, by: 'x' }).body).toEqual({
      ...{ assessment: 4, kind: 'label', level: 1, by: 'x' },
    })
    const token = { action: 'created', token: { id: 'a', roles: ['expert', 'sensor'] } }
    expect(decoded('token', token).body).toMatchObject({ token: { id: 'a', roles: ['reviewer', 'sensor'] } })
    const unchanged = { action: 'revoked', id: 'a', by: 'x' }
    expect(decoded('token', unchanged).body).toEqual(unchanged)
    expect(decoded('alarm', { number: 1, status: 'active', level: 1 }).version).toBe(1)
  })

  it('of a later version is refused by name', () => {
    expect(() => decoded('sample', { version: 3, values: [1, 2] })).toThrow(UnknownVersion)
    expect(() => decoded('sample', { version: 3, values: [1, 2] })).toThrow('a sample record has version 3')
  })
})
