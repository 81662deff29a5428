import { describe, expect, it } from 'vitest'
import { rebuild } from '../replay/recover.ts'
import { memoryApp } from '../testing/memory-app.ts'
import { wholeState } from '../views/system.ts'

const ROWS = Array.from({ length: 30 }, (_, t) => ({
  values: [t % 3, t],
  trueLevel: t % 3,
  mode: 'full',
  key: `row-${t}`,
}))

describe('a sample with its true level', () => {
  it('is learned before the next sample, as ordinary records that replay to the same state', async () => {
    const { app, log, service } = await memoryApp()
    const url = '/v1/systems/plant/samples'
    const reply = await app.inject({ method: 'POST', url, payload: ROWS })
    expect(reply.json().map(({ assessment }: { assessment: number }) => assessment)).toEqual(ROWS.map((_, t) => t))
    const kinds = (await log.read('plant', { from: 2, limit: 6 })).map(({ kind }) => kind)
    expect(kinds).toEqual(['sample', 'assessment', 'feedback', 'sample', 'assessment', 'feedback'])
    const { counts } = (await app.inject('/v1/systems/plant')).json()
    expect(counts).toMatchObject({ samples: 30, labels: 30 })
    const { stateHash } = await service.get('plant').read(wholeState())
    expect((await rebuild(log, 'plant', { fromStart: true })).stateHash()).toBe(stateHash)
    const again = await app.inject({ method: 'POST', url, payload: ROWS.slice(0, 2) })
    expect(again.json()).toMatchObject([
      { assessment: 0, repeated: true },
      { assessment: 1, repeated: true },
    ])
  })

  it('is refused with a level that there is not, and nothing of it is taken', async () => {
    const { app, service } = await memoryApp()
    for (const trueLevel of [3, 'deadly']) {
      const payload = { values: [1, 2], trueLevel }
      const reply = await app.inject({ method: 'POST', url: '/v1/systems/plant/samples', payload })
      expect(reply.statusCode).toBe(422)
    }
    expect((await service.get('plant').read(wholeState())).system.samples).toBe(0)
  })

  it('needs the right to answer', async () => {
    const { app, tokens } = await memoryApp()
    await tokens.create({ name: 'root', roles: ['admin'], systems: ['*'] }, 'test', Date.now())
    const { text } = await tokens.create({ name: 'pump', roles: ['sensor'], systems: ['*'] }, 'test', Date.now())
    const headers = { authorization: `Bearer ${text}` }
    const send = (payload: object) => app.inject({ method: 'POST', url: '/v1/systems/plant/samples', payload, headers })
    expect((await send({ values: [1, 2], trueLevel: 0 })).statusCode).toBe(403)
    expect((await send({ values: [1, 2] })).statusCode).toBe(200)
  })
})
