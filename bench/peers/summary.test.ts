import { expect, it } from 'vitest'
import { type Compared, goals, summarise } from './summary.ts'
import { takeTurns } from './turns.ts'
import type { Worker } from './worker.ts'

function compared(
  task: string,
  stream: string,
  sides: Record<string, { worker: string; figures: [number, number][] }>,
): Compared {
  return {
    pair: {
      task,
      stream,
      samples: 1000,
      sides: Object.entries(sides).map(([name, { worker }]) => ({ name, worker, request: '' })),
    },
    turns: Object.entries(sides).flatMap(([side, { figures }]) =>
      figures.map(([seconds, accuracy], i) => ({
        task,
        stream,
        side,
        round: i + 1,
        answer: { seconds, samples: 1000, accuracy },
      })),
    ),
  }
}

it('compares the rounds of each side with those of the first', () => {
  const pair = compared('tree', 'dive', {
    'pb-oel': {
      worker: 'ours',
      figures: [
        [0.001, 0.9],
        [0.002, 0.8],
        [0.004, 0.7],
      ],
    },
    River: {
      worker: 'river',
      figures: [
        [0.01, 0.5],
        [0.04, 0.6],
        [0.02, 0.7],
      ],
    },
  })
  const [ours, river] = summarise({ ...pair, turns: pair.turns.toReversed() })
  expect(ours).toMatchObject({ side: 'pb-oel', ours: true, median: 2, low: 1, high: 4, ratio: 1 })
  // Round by round 10, 20 and 5 times as long.
  expect(river).toMatchObject({ side: 'River', ours: false, median: 20, low: 10, high: 40, ratio: 10 })
  expect(river.accuracy).toBeCloseTo(0.6, 12)
})

it('judges a goal by its worst stream, and accuracy by the best of each side', () => {
  const ours = { worker: 'ours', figures: [[0.001, 0.9]] as [number, number][] }
  const river = (seconds: number) => ({ worker: 'river', figures: [[seconds, 0.9]] as [number, number][] })
  const summaries = [
    compared('tree', 'dive', { 'pb-oel': ours, River: river(0.1) }),
    compared('arf', 'electricity', { 'pb-oel': ours, River: river(0.007) }),
    compared('right-wrong', 'skab', {
      'pb-oel-plus': ours,
      'pb-oel': { worker: 'ours', figures: [[0.001, 0.5]] },
      'Vowpal Wabbit a': { worker: 'vw', figures: [[0.001, 0.91]] },
      'Vowpal Wabbit b': { worker: 'vw', figures: [[0.001, 0.6]] },
    }),
  ].flatMap(summarise)
  expect(goals(summaries)).toEqual([
    { goal: 'trees and forests ≥ 8 × River', reached: 'least: 7.0 × (arf, electricity)', met: false },
    {
      goal: 'right/wrong on skab: above Vowpal Wabbit’s best setting',
      reached: 'pb-oel-plus 0.9000, Vowpal Wabbit 0.9100',
      met: false,
    },
  ])
})

it('takes turns: warm turns of compiled sides first, then rounds forth and back, each with its seed', async () => {
  const asked: string[] = []
  const worker = (name: string) =>
    ({
      async ask(request: string) {
        asked.push(`${name} ${request}`)
        return {}
      },
    }) as unknown as Worker
  const workers = new Map([
    ['ours', worker('ours')],
    ['river', worker('river')],
  ])
  const sides = ['ours', 'river'].map((name) => ({ name, worker: name, request: 'tree {seed}' }))
  const watch = { signal: new AbortController().signal, onTurn() {} }
  const turns = await takeTurns({ task: 'tree', stream: 'dive', samples: 1, sides }, workers, 2, watch)
  expect(asked).toEqual(['ours tree 1', 'ours tree 1', 'ours tree 1', 'river tree 1', 'river tree 2', 'ours tree 2'])
  expect(turns.map(({ side, round }) => [side, round])).toEqual([
    ['ours', 1],
    ['river', 1],
    ['river', 2],
    ['ours', 2],
  ])
})
