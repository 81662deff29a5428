import type { SystemRequest } from '@pb-oel/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exportedSamples } from '../export/exported-sample.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { rebuild } from '../replay/recover.ts'
import { whatIf } from '../replay/what-if.ts'
import { wholeState } from '../views/system.ts'
import { Service } from './service.ts'

const PLANT: SystemRequest = {
  channels: ['a', 'b'],
  levels: ['safe', 'odd', 'unsafe'],
  method: 'pb-oel',
  options: { experts: 3, pending: 200 },
}

/** A plant with samples one second apart, and what tests look at. */
async function plant(given: Partial<SystemRequest> = {}) {
  const log = new MemoryLog()
  let now = 1_000_000
  const clock = { wall: () => now, monotonic: () => now, after: () => () => {}, every: () => () => {} }
  const service = await Service.open(log, { clock: clock as never })
  await service.create('plant', { ...PLANT, ...given }, 'test')
  const samples = async (count: number, apart = 1000) => {
    for (let i = 0; i < count; i++) {
      now += apart
      const t = now / 1000
      await service.sample('plant', { values: [Math.floor(t / 20) % 3, Math.sin(t)] }, 'sensor')
    }
  }
  const state = () => service.get('plant').read(wholeState())
  const replayed = async () => (await rebuild(log, 'plant', { fromStart: true })).stateHash()
  const records = async () => (await log.read('plant', { limit: 10_000 })).map(({ kind }) => kind)
  return { service, log, samples, state, replayed, records, time: () => now }
}

const seconds = (from: number, to: number) => ({ from: 1_000_000 + from * 1000, to: 1_000_000 + to * 1000 })

describe('a stretch', () => {
  it('is one record, answers every sample of its time, and keeps the answers that were there', async () => {
    const { service, samples, state, replayed, records } = await plant()
    await samples(50)
    await service.feedback('plant', { assessment: 12, kind: 'label', level: 2 }, 'eva')
    const before = (await records()).length
    const stretch = await service.answerStretch('plant', { ...seconds(11, 20), kind: 'label', level: 'odd' }, 'eva')
    expect(stretch).toMatchObject({ from: 10, to: 19, answered: 9, kind: 'label', level: 1, by: 'eva' })
    expect((await records()).slice(before)).toEqual(['stretch'])
    const { system, stateHash } = await state()
    expect(system.counts).toMatchObject({ labels: 10 })
    expect(system.openQuestions).toBe(40)
    expect(await replayed()).toBe(stateHash)
  })

  it('answers ten minutes at 20 samples per second at once, where the system was told its rate', async () => {
    const { service, samples, time } = await plant({
      stale: { rate: 20 },
      method: 'majority',
      options: {},
    })
    const from = time()
    await samples(12_000, 50)
    const stretch = await service.answerStretch('plant', { from, to: time(), kind: 'label', level: 1 }, 'eva')
    expect(stretch.answered).toBe(12_000)
  })

  it('teaches what the same answers one by one teach', async () => {
    const [one, many] = [await plant(), await plant()]
    for (const { samples } of [one, many]) await samples(60)
    await one.service.answerStretch('plant', { ...seconds(21, 40), kind: 'label', level: 1 }, 'eva')
    for (let assessment = 20; assessment < 40; assessment++) {
      await many.service.feedback('plant', { assessment, kind: 'label', level: 1 }, 'eva')
    }
    for (const { samples } of [one, many]) await samples(1)
    const [a, b] = [await one.state(), await many.state()]
    expect(a.system.probabilities).toEqual(b.system.probabilities)
    expect(a.system.counts).toEqual(b.system.counts)
    expect(a.system.accuracy).toBe(b.system.accuracy)
  })

  it('that says right confirms the most probable levels, and wrong says nothing of a level drawn to learn', async () => {
    const { service, log, samples } = await plant()
    await samples(150)
    await service.answerStretch('plant', { ...seconds(1, 100), kind: 'confirm' }, 'eva')
    await service.answerStretch('plant', { ...seconds(101, 150), kind: 'reject' }, 'eva')
    const fold = await rebuild(log, 'plant')
    const drawn = fold.recent
      .list()
      .filter(({ level, probabilities }) => level !== probabilities.indexOf(Math.max(...probabilities)))
    expect(drawn.length).toBeGreaterThan(0)
    for (const { assessment, probabilities, answer } of drawn) {
      const likely = probabilities.indexOf(Math.max(...probabilities))
      if (assessment < 100) expect(answer).toMatchObject({ kind: 'label', level: likely })
      else expect(answer).toBeUndefined()
    }
  })

  it('that is taken back leaves no trace in model and counts, and can be answered anew', async () => {
    const [undone, never] = [await plant(), await plant()]
    for (const { samples } of [undone, never]) await samples(60)
    const { sequence } = await undone.service.answerStretch('plant', { ...seconds(1, 30), kind: 'reject' }, 'eva')
    for (const { samples, service } of [undone, never]) {
      await samples(5)
      await service.feedback('plant', { assessment: 45, kind: 'label', level: 1 }, 'eva')
    }
    const taken = await undone.service.withdrawStretch('plant', sequence, 'eva')
    expect(taken).toMatchObject({ stretch: sequence, answered: expect.any(Number), by: 'eva' })
    for (const { samples } of [undone, never]) await samples(1)
    const [a, b] = [await undone.state(), await never.state()]
    expect(a.system.probabilities).toEqual(b.system.probabilities)
    expect(a.system.counts).toEqual(b.system.counts)
    expect(a.system.accuracy).toBe(b.system.accuracy)
    expect(a.system.openQuestions).toBe(b.system.openQuestions)
    await undone.service.feedback('plant', { assessment: 3, kind: 'label', level: 0 }, 'eva')
    await undone.service.answerStretch('plant', { ...seconds(1, 30), kind: 'confirm' }, 'eva')
    expect(await undone.replayed()).toBe((await undone.state()).stateHash)
  })

  it('and any answers, corrections, exclusions and withdrawals among it replay to the same state', async () => {
    const step = fc.record({
      act: fc.constantFrom('samples', 'stretch', 'withdraw', 'answer', 'correct', 'exclude'),
      a: fc.nat(60),
      b: fc.nat(20),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        const { service, samples, state, replayed } = await plant({ options: { experts: 2, pending: 60 } })
        await samples(30)
        const stretches: number[] = []
        for (const { act, a, b } of steps) {
          const correction = act === 'correct'
          const doing = {
            samples: () => samples(b),
            stretch: async () => {
              const given = { ...seconds(a, a + b), kind: a % 2 ? 'confirm' : 'reject' } as const
              stretches.push((await service.answerStretch('plant', given, 'eva')).sequence)
            },
            withdraw: () => service.withdrawStretch('plant', stretches[b % Math.max(1, stretches.length)] ?? 0, 'eva'),
            answer: () => service.feedback('plant', { assessment: a, kind: 'label', level: b % 3, correction }, 'eva'),
            correct: () => service.feedback('plant', { assessment: a, kind: 'label', level: b % 3, correction }, 'eva'),
            exclude: () => service.exclude('plant', { from: a, to: a + 2, why: 'test' }, 'eva'),
          }[act]
          // What cannot be is refused, and changes nothing.
          await doing().catch(() => {})
        }
        await samples(2)
        expect(await replayed()).toBe((await state()).stateHash)
      }),
      { numRuns: 25 },
    )
  })

  it('counts for promises as it did, though a sample that it answered is excluded later', async () => {
    const { service, samples, state, replayed } = await plant()
    await samples(30)
    // Five answers for the only level that was told: the system is trained from here on.
    await service.answerStretch('plant', { ...seconds(3, 7), kind: 'label', level: 0 }, 'eva')
    await samples(1)
    expect((await state()).system.trained).toBe(true)
    await service.exclude('plant', { from: 2, to: 2, why: 'a fault' }, 'eva')
    await samples(1)
    expect((await state()).system.counts).toMatchObject({ labels: 5 })
    expect(await replayed()).toBe((await state()).stateHash)
    // One that was excluded before keeps out of a stretch, also when the log is run again.
    const later = await service.answerStretch('plant', { ...seconds(1, 10), kind: 'label', level: 0 }, 'eva')
    expect(later).toMatchObject({ answered: 5 })
    await service.exclude('plant', { from: 0, to: 0, why: 'a fault' }, 'eva')
    await samples(1)
    expect(await replayed()).toBe((await state()).stateHash)
  })

  it('is refused where there is nothing to answer, and changes nothing', async () => {
    const { service, samples, state } = await plant()
    await samples(250)
    const { stateHash } = await state()
    const refused = (given: object) => expect(service.answerStretch('plant', given as never, 'eva')).rejects
    await refused({ ...seconds(1, 20), kind: 'confirm' }).toThrow('can still be answered')
    await refused({ ...seconds(900, 901), kind: 'confirm' }).toThrow('is there')
    await refused({ ...seconds(200, 210), kind: 'label', level: 3 }).toThrow('level')
    await expect(service.withdrawStretch('plant', 5, 'eva')).rejects.toThrow('no stretch')
    expect((await state()).stateHash).toBe(stateHash)
  })

  it('and single answers are taken as many seconds later as the system says, and no more', async () => {
    const { service, samples } = await plant({ late: { samples: 100, seconds: 10 } })
    // The latest is of second 30: ten seconds are over for what is older than second 20.
    await samples(30)
    const answer = (assessment: number) => service.feedback('plant', { assessment, kind: 'label', level: 1 }, 'eva')
    await answer(19)
    await expect(answer(18)).rejects.toThrow('assessment 18 was made 11 s ago')
    const stretch = (from: number, to: number) =>
      service.answerStretch('plant', { ...seconds(from, to), kind: 'label', level: 1 }, 'eva')
    await expect(stretch(1, 19)).rejects.toThrow('can still be answered')
    expect(await stretch(1, 21)).toMatchObject({ from: 19, to: 20, answered: 1 })
  })

  it('with the same key is learned once', async () => {
    const { service, samples } = await plant()
    await samples(20)
    const given = { ...seconds(1, 10), kind: 'confirm', key: 'once' } as const
    const first = await service.answerStretch('plant', given, 'eva')
    expect(await service.answerStretch('plant', given, 'eva')).toEqual({ ...first, repeated: true })
  })

  it('tells the true levels of an export, and not once it was taken back', async () => {
    const { service, log, samples } = await plant()
    await samples(40)
    // One that was answered before keeps its answer.
    await service.feedback('plant', { assessment: 5, kind: 'label', level: 2 }, 'max')
    const { sequence } = await service.answerStretch('plant', { ...seconds(1, 20), kind: 'label', level: 1 }, 'eva')
    const range = { system: 'plant', channels: ['a', 'b'], levels: ['safe', 'odd', 'unsafe'], pending: 200 }
    const named = async () => {
      let count = 0
      for await (const { answer } of exportedSamples(log, range)) if (answer?.level === 1) count++
      return count
    }
    expect(await named()).toBe(19)
    await service.withdrawStretch('plant', sequence, 'eva')
    expect(await named()).toBe(0)
    const told = []
    for await (const { answer } of exportedSamples(log, range)) if (answer) told.push(answer)
    expect(told).toEqual([{ kind: 'label', level: 2, by: 'max' }])
  })

  it('answers no sample that was excluded before, and the export says so, too', async () => {
    const { service, log, samples } = await plant()
    await samples(20)
    const exclude = (from: number, to: number) => service.exclude('plant', { from, to, why: 'a broken cable' }, 'eva')
    await exclude(4, 6)
    const given = { ...seconds(1, 10), kind: 'label', level: 1 } as const
    expect(await service.answerStretch('plant', given, 'eva')).toMatchObject({ from: 0, to: 9, answered: 7 })
    // What is excluded later keeps its answer.
    await exclude(8, 8)
    const answered = []
    const range = { system: 'plant', channels: ['a', 'b'], levels: ['safe', 'odd', 'unsafe'], pending: 200 }
    for await (const { assessment, answer, excluded } of exportedSamples(log, range)) {
      if (answer) answered.push([assessment.assessment, excluded])
    }
    expect(answered).toEqual([0, 1, 2, 3, 7, 8, 9].map((assessment) => [assessment, assessment === 8]))
  })

  it('counts in a what-if, and not once it was taken back', async () => {
    const { service, log, samples } = await plant()
    await samples(40)
    const { sequence } = await service.answerStretch('plant', { ...seconds(1, 20), kind: 'label', level: 1 }, 'eva')
    expect((await whatIf(log, 'plant', { method: 'no-change' })).comparable).toBe(20)
    await service.withdrawStretch('plant', sequence, 'eva')
    expect((await whatIf(log, 'plant', { method: 'no-change' })).comparable).toBe(0)
  })
})
