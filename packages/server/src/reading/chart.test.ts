import type { AssessedSample, Chart } from '@pb-oel/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { memoryApp } from '../testing/memory-app.ts'
import { foldSamples } from './chart.ts'

const START = 1_794_736_800_000
let now = START
const { app, service } = await memoryApp({}, () => now)
/** One sample per second; at second 250 the first channel jumps for one sample. */
const SECONDS = 700
const SPIKE = 250

beforeAll(async () => {
  for (let second = 0; second < SECONDS; second++) {
    now = START + 1000 * second
    const { assessment } = await service.sample(
      'plant',
      { values: [second === SPIKE ? 99 : second % 3, second] },
      'test',
    )
    const kind = second % 10 === 0 ? 'reject' : 'confirm'
    await service.feedback('plant', { assessment, kind }, 'eva')
  }
})

async function chart(query: string): Promise<Chart> {
  return (await app.inject({ url: `/v1/systems/plant/chart?${query}` })).json()
}

describe('a chart', () => {
  it('shows each sample where there is room', async () => {
    const { times, values, folded, every, levels } = await chart(`from=${START}&to=${START + 100_000}`)
    expect([folded, every]).toEqual([1, 1])
    expect(times).toEqual(Array.from({ length: 100 }, (_, i) => START + 1000 * i))
    expect(values[1]).toEqual(times.map((_, i) => i))
    expect(levels).toHaveLength(100)
  })

  it('keeps a spike of one sample however few points there are, and says how many samples a point stands for', async () => {
    const { times, values, folded, every } = await chart('points=20')
    expect(times).toHaveLength(20)
    expect([folded, every]).toEqual([70, 1])
    expect(Math.max(...(values[0] as number[]))).toBe(99)
    expect(values.every((column) => column.length === 20)).toBe(true)
  })

  it('counts all answers, those of the beginning and those of the end', async () => {
    const { answers, answersEvery } = await chart('points=20')
    expect(answersEvery).toBe(1)
    const sum = (word: 'right' | 'wrong') => answers.reduce((all, moment) => all + moment[word], 0)
    expect([sum('right'), sum('wrong')]).toEqual([630, 70])
    expect((answers.at(-1) as { time: number }).time - answers[0].time).toBeGreaterThan(1000 * (SECONDS - 10))
  })

  it('says which part is wrong of a question that makes no sense', async () => {
    const { statusCode, body } = await app.inject({ url: '/v1/systems/plant/chart?from=NaN' })
    expect(statusCode).toBe(400)
    expect(body).toContain('from')
  })
})

describe('folding', () => {
  const sample = (time: number, values: number[], likely: number, trained = true) =>
    ({ time, values, likely, trained }) as AssessedSample

  it('keeps lowest and highest in the order in which they came, and the worst level', () => {
    const samples = [sample(0, [5], 0), sample(1, [9], 2), sample(2, [1], 0, false), sample(3, [4], 1)]
    expect(foldSamples(samples, 1, 2)).toEqual({ times: [0, 3], values: [[9, 1]], levels: [2, 2], folded: 4 })
  })

  it('shows no level where the system was untrained, and no value from before a channel was added', () => {
    const samples = [sample(0, [5], 1, false), sample(1, [5, 7], 1)]
    expect(foldSamples(samples, 2, 10)).toEqual({
      times: [0, 1],
      values: [
        [5, 5],
        [null, 7],
      ],
      levels: [null, 1],
      folded: 1,
    })
  })
})
