import type { Explanation, SystemState } from '@pb-oel/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { LocalReading } from '../reading/local-reading.ts'
import { Explanations } from '../service/explanations.ts'
import { memoryApp } from '../testing/memory-app.ts'

const CHANNELS = ['depth', 'oxygen', 'humidity', 'noise']
const plant = { channels: CHANNELS, levels: ['safe', 'unsafe'], options: { experts: 3 } }
let now = 1_794_736_800_000
const { app, service, log } = await memoryApp({}, () => now, undefined, plant)
/** Records of the end of an episode in which a channel was the cause. */
const ends: { cause: number; sequence: number; assessment: number }[] = []

/** Ten samples; the cause is low, the others wander. Each is answered by the true level. */
async function episode(cause: number): Promise<void> {
  for (let i = 0; i < 10; i++) {
    now += 100
    const values = CHANNELS.map((_, c) => Math.sin(now / 700 + 9 * c) - (c === cause ? 6 : 0))
    const { assessment, sequence } = await service.sample('plant', { values }, 'test')
    await service.feedback('plant', { assessment, kind: 'label', level: cause >= 0 ? 1 : 0 }, 'eva')
    if (i === 9 && cause >= 0) ends.push({ cause, sequence: sequence + 2, assessment })
  }
}

const get = async <T>(address: string): Promise<T> => (await app.inject({ url: `/v1/systems/plant${address}` })).json()

beforeAll(async () => {
  const before = await app.inject({ url: '/v1/systems/plant/explanation' })
  expect(before.statusCode).toBe(409)
  for (let n = 0; n < 30; n++) await episode(n % 2 === 0 ? -1 : [0, 1][(n >> 1) % 2])
})

describe('an explanation', () => {
  it('ranks the cause first, and says what it was compared with', async () => {
    await episode(-1)
    await episode(1)
    const found = await get<Explanation>('/explanation')
    expect(found).toMatchObject({ level: 1, against: 0, compared: 'other-level', model: 'present' })
    expect(found.channels[0]).toMatchObject({ channel: 'oxygen' })
    expect(found.channels[0].share).toBeGreaterThan(0.5)
    expect(found.channels[0].value).toBeLessThan(found.channels[0].usual - 4)
    expect(found.window.from).toBeGreaterThan(found.reference.to)
    expect(found.channels.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(
      found.lead - found.referenceLead,
      6,
    )
  })

  it('of earlier assessments and of states of that time ranks the cause of that time first', async () => {
    const some = ends.slice(-6)
    let [byPresent, byThen] = [0, 0]
    for (const { cause, sequence, assessment } of some) {
      const present = await get<Explanation>(`/explanation?assessment=${assessment}`)
      if (present.channels[0].channel === CHANNELS[cause]) byPresent++
      const { explanation } = await get<SystemState>(`/state?at=${sequence}&explain=true`)
      expect(explanation?.model).toBe('then')
      if (explanation?.channels[0].channel === CHANNELS[cause]) byThen++
    }
    expect([byPresent, byThen]).toEqual([some.length, some.length])
  })

  it('changes nothing: the state has the same hash before and after', async () => {
    const before = (await get<SystemState>('/state')).stateHash
    await get('/explanation?assessment=5')
    expect((await get<SystemState>('/state')).stateHash).toBe(before)
  })

  it('is computed once for everybody who asks within a few seconds', async () => {
    const reading = new LocalReading(log)
    let [asked, time] = [0, 0]
    const counted = Object.assign(Object.create(reading), {
      explain: (query: Parameters<typeof reading.explain>[0]) => {
        asked++
        return reading.explain(query)
      },
    })
    const explanations = new Explanations(counted, () => time)
    const system = service.get('plant')
    await Promise.all([1, 2, 3].map(() => explanations.explain(system)))
    expect(asked).toBe(1)
    time = 10_000
    await explanations.explain(system)
    expect(asked).toBe(2)
  })

  it('of an assessment that was never made is refused', async () => {
    expect((await app.inject({ url: '/v1/systems/plant/explanation?assessment=99999' })).statusCode).toBe(404)
  })
})
