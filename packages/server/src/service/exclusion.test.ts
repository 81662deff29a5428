import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Assessor, Feedback as CoreFeedback } from '@pb-oel/core'
import { decodeBody, type SystemRequest } from '@pb-oel/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/testing/simulated-clock.ts'
import { makeAssessor } from '../fold/configure.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { SlowLog } from '../log/testing/slow-log.ts'
import { rebuild } from '../replay/recover.ts'
import { replaySystem } from '../replay/replay.ts'
import { ThreadSeats } from '../seat/thread-seats.ts'
import { serve } from '../serve.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { openQuestions } from '../views/queue.ts'
import { detail, hashOfState } from '../views/system.ts'
import { Service } from './service.ts'

const LEVELS = ['safe', 'warning', 'unsafe']

function plant(levels: number, more: Partial<SystemRequest> = {}): SystemRequest {
  return { channels: ['a', 'b'], levels: LEVELS.slice(0, levels), options: { networks: 3, nodes: 5 }, ...more }
}

/** A reading of the channels. */
const valuesAt = (t: number): number[] => [Math.sin(t * 1.7) + (t % 3), Math.cos(t * 0.9)]

/** Whatever a call throws is somebody's mistake, and must leave the state as it is. */
const refused = () => undefined

/** One thing that happens to a system. */
type Step =
  | { do: 'sample'; outlier: boolean }
  | { do: 'answer'; back: number; kind: 'confirm' | 'reject' | 'label'; level: number; correction: boolean }
  | { do: 'exclude'; back: number; length: number }
  | { do: 'go on'; back: number }
  | { do: 'snapshot' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('sample' as const), outlier: fc.boolean() }) },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      back: fc.nat(6),
      kind: fc.constantFrom('confirm' as const, 'reject' as const, 'label' as const),
      level: fc.nat(2),
      correction: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('exclude' as const), back: fc.nat(30), length: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('go on' as const), back: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.constant({ do: 'snapshot' as const }) },
)

/** Makes a system live through some steps. */
async function live(service: Service, steps: readonly Step[], levels: number): Promise<void> {
  const system = service.get('plant')
  let made = 0
  for (const one of steps) {
    if (one.do === 'sample') {
      await service.sample('plant', { values: one.outlier ? [1e6, -1e6] : valuesAt(made) }, 'sensor')
      made++
    } else if (one.do === 'answer') {
      const { back, kind, level, correction } = one
      const named = kind === 'label' ? { level: level % levels } : {}
      const given = { assessment: Math.max(0, made - 1 - back), kind, correction, ...named }
      await service.feedback('plant', given, 'eva').catch(refused)
    } else if (one.do === 'exclude') {
      const from = Math.max(0, made - 1 - one.back)
      await service.exclude('plant', { from, to: from + one.length, why: 'a fault' }, 'ada').catch(refused)
    } else if (one.do === 'go on') {
      const { sequence } = await system.read(detail(0))
      const afterRecord = Math.max(1, sequence - one.back)
      await service.exclude('plant', { afterRecord, why: 'a fault' }, 'ada').catch(refused)
    } else await system.saveSnapshot()
  }
}

/** A model that never sees what a log excludes in the end, told what people said as far as it tells about it. */
async function neverSaw(log: MemoryLog): Promise<{ assessor: Assessor; left: number; redrawn: number }> {
  const records = await log.read('plant', { limit: 1e6 })
  const { configuration } = decodeBody('created', records[0].body, []).body
  const assessor = makeAssessor(configuration)
  const out = new Set<number>()
  for (const { kind, body } of records) {
    if (kind !== 'exclusion') continue
    const { from, to } = decodeBody(kind, body, []).body
    for (let assessment = from; assessment <= to; assessment++) out.add(assessment)
  }
  const drawn = new Map<number, { id: number; level: number }>()
  const shown: number[] = []
  for (const { kind, body } of records) {
    if (kind === 'sample') {
      if (out.has(shown.length)) continue
      const { id, level } = assessor.assess(Float64Array.from(decodeBody(kind, body, []).body.values))
      drawn.set(shown.length, { id, level })
    } else if (kind === 'assessment') shown.push(decodeBody(kind, body, []).body.level)
    else if (kind === 'feedback' || kind === 'correction') {
      const { assessment, kind: said, level } = decodeBody(kind, body, []).body
      const own = drawn.get(assessment)
      if (!own) continue
      const correction = kind === 'correction'
      const other = configuration.levels.length === 2 ? 1 - shown[assessment] : undefined
      const truth = said === 'label' ? level : said === 'confirm' ? shown[assessment] : other
      let told: CoreFeedback | undefined
      if (said === 'label' || own.level !== shown[assessment]) {
        told = truth === undefined ? undefined : { kind: 'label', level: truth, correction }
      } else told = { kind: said, correction }
      if (told) assessor.learn(own.id, told)
    }
  }
  const redrawn = [...drawn].filter(([assessment, { level }]) => level !== shown[assessment]).length
  return { assessor, left: out.size, redrawn }
}

describe('an excluded sample', () => {
  it.each([2, 3])(
    'is as if the model had never seen it, whatever happened before and after, and a replay agrees (%i levels)',
    async (levels) => {
      let [left, redrawn] = [0, 0]
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 120 }), fc.nat(1000), async (steps, seed) => {
          const log = new MemoryLog()
          const service = await Service.open(log)
          await service.create('plant', plant(levels, { seed }), 'test')
          await live(service, steps, levels)
          const hash = await service.get('plant').read(hashOfState())
          const { difference, stateHash } = await replaySystem(log, 'plant')
          expect(difference).toBeUndefined()
          expect(stateHash).toBe(hash)
          const rebuilt = await rebuild(log, 'plant')
          expect(rebuilt.stateHash()).toBe(hash)
          const reference = await neverSaw(log)
          expect(
            Buffer.from(rebuilt.model.assessor.snapshot()).equals(Buffer.from(reference.assessor.snapshot())),
          ).toBe(true)
          left += reference.left
          redrawn += reference.redrawn
        }),
        { numRuns: 25, seed: 17 },
      )
      // The histories were worth it.
      expect(left).toBeGreaterThan(100)
      expect(redrawn).toBeGreaterThan(20)
    },
  )

  it('does not change what was shown, counted and asked, and is not asked about any more', async () => {
    const log = new MemoryLog()
    const service = await Service.open(log)
    await service.create('plant', plant(3, { ask: { strategy: 'margin', perThousand: 500 } }), 'test')
    const system = service.get('plant')
    for (let t = 0; t < 60; t++) {
      const { assessment } = await service.sample('plant', { values: valuesAt(t) }, 'sensor')
      if (t % 2 === 0) await service.feedback('plant', { assessment, kind: 'label', level: t % 3 }, 'eva')
    }
    const before = await system.read(detail(0))
    const [question] = (await system.read(openQuestions(1, [], { by: 'test', whose: 'all' }))).questions
    const { assessment } = question.body
    const { sequence, from, to, why } = await service.exclude('plant', { from: assessment, why: 'torn' }, 'ada')
    expect([sequence, from, to, why]).toEqual([before.sequence + 1, assessment, assessment, 'torn'])
    const after = await system.read(detail(0))
    expect(after.counts).toEqual(before.counts)
    expect([after.level, after.confidence, after.alarm]).toEqual([before.level, before.confidence, before.alarm])
    expect(after.openQuestions).toBe(before.openQuestions - 1)
    const { questions } = await system.read(openQuestions(100, [], { by: 'test', whose: 'all' }))
    expect(questions).toHaveLength(after.openQuestions)
    expect(questions.map(({ body }) => body.assessment)).not.toContain(assessment)
    expect([before.excluded, after.excluded]).toEqual([undefined, 1])
    // An answered one leaves its trace in the weights.
    await service.exclude('plant', { from: 10, why: 'torn' }, 'ada')
    const forgotten = await system.read(detail(0))
    expect(forgotten.weights).not.toEqual(before.weights)
    expect(forgotten.counts).toEqual(before.counts)
    // An answer is counted, since it tells about what was shown, and not learned.
    await service.feedback('plant', { assessment: from, kind: 'label', level: 0 }, 'eva')
    const last = await system.read(detail(0))
    expect([last.counts.labels, last.weights]).toEqual([before.counts.labels + 1, forgotten.weights])
    expect((await service.sample('plant', { values: [1, 1] }, 'sensor')).assessment).toBe(60)
    const { difference, stateHash } = await replaySystem(log, 'plant')
    expect(difference).toBeUndefined()
    expect(stateHash).toBe(await system.read(hashOfState()))
  })

  it.each([0, 1])('loses nothing that was taken while the system was rebuilt (%i threads)', async (threads) => {
    const log = new SlowLog(0)
    const service = await Service.open(log, { seats: threads > 0 ? new ThreadSeats(log, { threads }) : undefined })
    await service.create('plant', plant(2), 'test')
    for (let t = 0; t < 50; t++) await service.sample('plant', { values: valuesAt(t) }, 'sensor')
    // Samples come also between the exclusion and the moment it is on disk.
    log.delay = 20
    const excluded = service.exclude('plant', { from: 20, why: 'a fault' }, 'ada')
    let [taken, over] = [50, false]
    const messages = new Set<string>()
    const send = () =>
      service.sample('plant', { values: valuesAt(taken) }, 'sensor').then(
        () => taken++,
        (error) => messages.add(`${error.status}: ${error.message}`),
      )
    const sensor = (async () => {
      const sent: Promise<unknown>[] = []
      for (; !over; await setTimeout(1)) sent.push(send())
      await Promise.all(sent)
    })()
    await excluded
    over = true
    await sensor
    expect(messages.size).toBeGreaterThan(0)
    for (const message of messages) expect(message).toMatch(/^503: system plant is being rebuilt from its log/)
    const { samples } = await service.get('plant').read(detail(0))
    expect(samples).toBe(taken)
    expect((await service.sample('plant', { values: [1, 1] }, 'sensor')).assessment).toBe(taken)
    const { difference, stateHash } = await replaySystem(log, 'plant')
    expect(difference).toBeUndefined()
    expect(stateHash).toBe(await service.get('plant').read(hashOfState()))
    await service.close()
  })

  it('gives the same bits on other threads', async () => {
    const steps = fc.sample(step, { numRuns: 120, seed: 5 })
    const run = async (log: MemoryLog, seats?: ThreadSeats) => {
      const service = await Service.open(log, { seats, clock: new SimulatedClock() })
      await service.create('plant', plant(3), 'test')
      await live(service, steps, 3)
      const hash = await service.get('plant').read(hashOfState())
      await service.close()
      return hash
    }
    const log = new MemoryLog()
    const there = await run(log, new ThreadSeats(log, { threads: 1 }))
    const here = new MemoryLog()
    expect(there).toBe(await run(here))
    expect((await here.read('plant', { kinds: ['exclusion'] })).length).toBeGreaterThan(2)
  })

  it('stays excluded after a restart of a server with threads', async () => {
    const store = join(temporaryFolder(), 'excluded.db')
    const start = async () => {
      const server = await serve({ store, port: 0, logLevel: 'silent', threads: 1 })
      await server.recovered
      return server
    }
    let server = await start()
    await server.service.create('plant', plant(2), 'test')
    await live(server.service, fc.sample(step, { numRuns: 80, seed: 9 }), 2)
    await server.service.exclude('plant', { from: 1, to: 3, why: 'a fault' }, 'ada').catch(refused)
    const { weights, excluded } = await server.service.get('plant').read(detail(0))
    await server.stop()
    server = await start()
    const after = await server.service.get('plant').read(detail(0))
    expect(excluded).toBeGreaterThan(2)
    expect([after.excluded, after.weights]).toEqual([excluded, weights])
    expect((await replaySystem(server.service.log, 'plant')).difference).toBeUndefined()
    await server.stop()
  })
})

/** A system with so many samples: sample n has record 2n + 2. */
const filled = async (samples: number, snapshotEvery = 1e6) => {
  const log = new MemoryLog()
  const service = await Service.open(log, { snapshotEvery })
  // Open questions would be kept from compaction.
  await service.create('plant', plant(2, { ask: { perThousand: 0.001 } }), 'test')
  for (let t = 0; t < samples; t++) await service.sample('plant', { values: valuesAt(t) }, 'sensor')
  return { log, service }
}

describe('going on from a record', () => {
  it.each([
    [1, 0],
    [5, 2],
    [6, 3],
    [7, 3],
    [19, 9],
  ])(
    'record %i leaves out everything from assessment %i on, and the next sample counts on',
    async (afterRecord, from) => {
      const { service } = await filled(10)
      const exclusion = await service.exclude('plant', { afterRecord, why: 'a fault' }, 'ada')
      expect(exclusion).toMatchObject({ from, to: 9, first: 2 * from + 2, sequence: 22, by: 'ada', why: 'a fault' })
      expect((await service.sample('plant', { values: [1, 1] }, 'sensor')).assessment).toBe(10)
      expect((await service.get('plant').read(detail(0))).excluded).toBe(10 - from)
    },
  )
})

it('a missing channel is held at the latest value that is not excluded', async () => {
  const log = new MemoryLog()
  const service = await Service.open(log)
  await service.create('plant', plant(2, { missing: 'hold' }), 'test')
  const send = (values: (number | null)[]) => service.sample('plant', { values }, 'sensor')
  await send([1, 2])
  await send([1e6, -1e6])
  await service.exclude('plant', { from: 1, why: 'a fault' }, 'ada')
  expect((await send([null, 3])).values).toEqual([1, 3])
  const { difference, stateHash } = await replaySystem(log, 'plant')
  expect(difference).toBeUndefined()
  expect(stateHash).toBe(await service.get('plant').read(hashOfState()))
})

describe('what cannot be excluded', () => {
  it.each([
    [{ from: 10 }, 404, /there is no assessment 10; the latest is 9/],
    [{ from: 9, to: 10 }, 404, /there is no assessment 10; the latest is 9/],
    [{ from: 3, to: 2 }, 400, /to should be at least from, which is 3/],
    [{ from: 3, afterRecord: 2 }, 400, /either from, perhaps with to, or afterRecord/],
    [{}, 400, /either from, perhaps with to, or afterRecord/],
    [{ afterRecord: 1000 }, 404, /no sample behind record 1000/],
    [{ from: 4, to: 5 }, 409, /assessments 4 to 5 are excluded already/],
  ])('%j is refused with %i, and nothing changes', async (given, status, message) => {
    const { service } = await filled(10)
    await service.exclude('plant', { from: 4, to: 6, why: 'a fault' }, 'ada')
    const hash = await service.get('plant').read(hashOfState())
    const attempt = service.exclude('plant', { ...given, why: 'a fault' }, 'ada')
    await expect(attempt).rejects.toMatchObject({ status, message: expect.stringMatching(message) })
    expect(await service.get('plant').read(hashOfState())).toBe(hash)
  })

  it('is a sample whose record was removed: the refusal says which is the first that is kept', async () => {
    const { service } = await filled(300, 50)
    const through = await service.get('plant').compact(200, 'ada')
    expect(through).toBeGreaterThan(50)
    await expect(service.exclude('plant', { from: 3, why: 'a fault' }, 'ada')).rejects.toMatchObject({
      status: 410,
      message: expect.stringMatching(
        /the sample of assessment 3 is not in the log of plant: .* the first there is \d+/,
      ),
    })
    await expect(service.exclude('plant', { afterRecord: 3, why: 'a fault' }, 'ada')).rejects.toMatchObject({
      status: 410,
    })
  })

  it('a log is never cut between an exclusion and its samples, so that what is kept can be replayed', async () => {
    const { log, service } = await filled(300, 50)
    // Samples 60 to 61 have records 122 to 125. The exclusion comes behind record 601.
    await service.exclude('plant', { from: 60, to: 61, why: 'a fault' }, 'ada')
    for (let t = 0; t < 20; t++) await service.sample('plant', { values: valuesAt(t) }, 'sensor')
    expect(await service.get('plant').compact(200, 'ada')).toBeLessThan(122)
    expect((await replaySystem(log, 'plant')).difference).toBeUndefined()
    for (let t = 0; t < 200; t++) await service.sample('plant', { values: valuesAt(t) }, 'sensor')
    expect(await service.get('plant').compact(200, 'ada')).toBeGreaterThan(601)
    const { difference, stateHash } = await replaySystem(log, 'plant')
    expect(difference).toBeUndefined()
    expect(stateHash).toBe(await service.get('plant').read(hashOfState()))
  })
})
