import type { GivenSample } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { InvalidRequest, KeyUsed, NotReady, StorageError } from '../errors.ts'
import type { Intake, TakenSample } from './intake.ts'
import { SampleQueue } from './sample-queue.ts'
import { bridgeContext } from './testing/bridge-context.ts'

/** A queue, and what `take` makes of each sample that reaches the system. */
function queued(take: (value: number, attempt: number) => TakenSample | Error) {
  const batches: number[][] = []
  const authors = new Set<string>()
  const intake = {
    samples: async (_system: string, samples: readonly GivenSample[], by: string) => {
      authors.add(by)
      const values = samples.map((sample) => (sample.values as number[])[0])
      batches.push(values)
      return values.map((value) => take(value, batches.length))
    },
  } as unknown as Intake
  const { context, clock, told } = bridgeContext(intake)
  const ending = new AbortController()
  const queue = new SampleQueue('tank', context, ending.signal)
  const finished: number[] = []
  const add = (value: number) => void queue.take({ values: [value] }).then(() => finished.push(value))
  return { batches, authors, clock, told, ending, finished, add }
}

const taken = {} as TakenSample

describe('samples on their way to a system', () => {
  it('that cannot be taken now are tried again after a second, in their order, before later ones', async () => {
    const { batches, clock, told, finished, add } = queued((value, attempt) => {
      return value > 1 && attempt < 3 ? new NotReady('elsewhere') : taken
    })
    for (const value of [1, 2, 3]) add(value)
    await clock.advance(0)
    add(4)
    await clock.advance(999)
    // The first went alone: nothing waited when it came.
    expect([batches, finished]).toEqual([[[1], [2, 3]], [1]])
    await clock.advance(1)
    expect([batches.at(-1), finished]).toEqual([
      [2, 3, 4],
      [1, 2, 3, 4],
    ])
    expect(told.outcomes).toEqual(Array(4).fill('accepted'))
  })

  it('are finished when they are on disk, were there before, or can never be; and counted as what they were', async () => {
    const outcomes = [taken, { ...taken, repeated: true as const }, new KeyUsed('another'), new InvalidRequest('no')]
    const { told, finished, clock, add, authors } = queued((value) => outcomes[value])
    for (const value of outcomes.keys()) add(value)
    await clock.advance(0)
    expect(finished).toEqual([0, 1, 2, 3])
    expect(told.outcomes).toEqual(['accepted', 'repeated', 'repeated', 'refused'])
    expect(told.warnings).toEqual(['a sample was refused: no'])
    expect([...authors]).toEqual(['bridge:bus'])
  })

  it.each([new StorageError('the disk is full'), new NotReady('being rebuilt')])(
    '%s is nobody’s fault',
    async (error) => {
      const { told, finished, clock, add, ending } = queued(() => error)
      add(1)
      await clock.advance(5_000)
      expect([finished, told.outcomes]).toEqual([[], []])
      // The source keeps what was not acknowledged.
      ending.abort()
      await clock.advance(5_000)
      expect(finished).toEqual([])
    },
  )

  it('an error of ours is told as a defect, and does not stop the others', async () => {
    const { told, finished, clock, add } = queued((value) => (value === 0 ? new TypeError('ours') : taken))
    add(0)
    add(1)
    await clock.advance(0)
    expect([finished, told.outcomes, told.warnings]).toEqual([[0, 1], ['refused', 'accepted'], ['a defect: ours']])
  })

  it('go 500 together, and no more than 100,000 wait', async () => {
    const { batches, told, clock, add } = queued((_, attempt) => (attempt === 1 ? new NotReady('elsewhere') : taken))
    for (let value = 0; value <= 100_001; value++) add(value)
    expect([told.outcomes, told.warnings]).toEqual([
      ['refused'],
      ['a sample was refused: 100000 samples wait for the system already'],
    ])
    await clock.advance(0)
    await clock.advance(1_000)
    expect(batches[1]).toHaveLength(500)
  })
})
