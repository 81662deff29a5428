import { spread } from '../src/measure.ts'
import type { Pair, Turn } from './turns.ts'

/** A pair and all its turns. */
export interface Compared {
  readonly pair: Pair
  readonly turns: readonly Turn[]
}

/** A pair's side, summed up over its rounds. */
export interface Summary {
  readonly task: string
  readonly stream: string
  readonly samples: number
  readonly side: string
  /** Whether it is one of ours. */
  readonly ours: boolean
  /** Microseconds per sample: median, least and most of the rounds. */
  readonly median: number
  readonly low: number
  readonly high: number
  /** How many times as long as the pair's first side took in the same round, median. */
  readonly ratio: number
  /** Means of the rounds. */
  readonly accuracy?: number
  readonly drifts?: number
}

/** The sides of a pair, in their order, each compared with the first. */
export function summarise({ pair, turns }: Compared): Summary[] {
  const { task, stream, samples, sides } = pair
  // Every second round went backwards, so rounds are brought back in order.
  const ordered = turns.toSorted((a, b) => a.round - b.round)
  const of = (name: string) => ordered.filter(({ side }) => side === name).map(({ answer }) => answer)
  const times = (name: string) => of(name).map(({ seconds = 0, samples = 1 }) => (seconds * 1e6) / samples)
  const first = times(sides[0].name)
  return sides.map(({ name, worker }) => {
    const mine = times(name)
    return {
      task,
      stream,
      samples,
      side: name,
      ours: worker === 'ours',
      median: spread(mine).median,
      low: Math.min(...mine),
      high: Math.max(...mine),
      ratio: spread(mine.map((time, round) => time / first[round])).median,
      accuracy: mean(of(name).map(({ accuracy }) => accuracy)),
      drifts: mean(of(name).map(({ drifts }) => drifts)),
    }
  })
}

function mean(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : known.reduce((a, b) => a + b) / known.length
}

/** A goal and whether it was reached. */
export interface Goal {
  readonly goal: string
  readonly reached: string
  readonly met: boolean
}

/** Times as fast as a side that a task must be, on every stream it was measured on. */
const SPEED_GOALS: readonly { tasks: readonly string[]; side: RegExp; times: number; goal: string }[] = [
  { tasks: ['pb-oel'], side: /^NumPy, batched$/, times: 8, goal: 'PB-OEL loop ≥ 8 × well-written NumPy' },
  { tasks: ['pb-oel'], side: /BLAS$/, times: 8, goal: 'PB-OEL loop ≥ 8 × NumPy that calls SciPy’s BLAS by hand' },
  {
    ...{ tasks: ['pb-oel-quick'], side: /BLAS$/, times: 8 },
    goal: 'PB-OEL loop in single precision and fused arithmetic ≥ 8 × the same NumPy in double precision',
  },
  { tasks: ['tree', 'arf', 'srp'], side: /^River$/, times: 8, goal: 'trees and forests ≥ 8 × River' },
  { tasks: ['tree', 'arf', 'srp'], side: /^MOA$/, times: 1, goal: 'trees and forests ≥ 1 × MOA' },
  { tasks: ['adwin'], side: /^River$/, times: 3, goal: 'ADWIN ≥ 3 × River' },
]

/** Every goal that something measured speaks to. */
export function goals(summaries: readonly Summary[]): Goal[] {
  const speed = SPEED_GOALS.flatMap(({ tasks, side, times, goal }) => {
    const rivals = summaries.filter((one) => tasks.includes(one.task) && side.test(one.side))
    if (rivals.length === 0) return []
    const worst = rivals.reduce((a, b) => (b.ratio < a.ratio ? b : a))
    const reached = `${worst.ratio.toFixed(1)} × (${worst.task}, ${worst.stream})`
    return [{ goal, reached: rivals.length > 1 ? `least: ${reached}` : reached, met: worst.ratio >= times }]
  })
  const streams = [...new Set(summaries.filter(({ task }) => task === 'right-wrong').map(({ stream }) => stream))]
  const accuracy = streams.flatMap((stream) => {
    const sides = summaries.filter((one) => one.task === 'right-wrong' && one.stream === stream)
    const best = (ours: boolean) =>
      sides
        .filter((side) => side.ours === ours)
        .reduce<Summary | undefined>((a, b) => (a && (a.accuracy ?? 0) >= (b.accuracy ?? 0) ? a : b), undefined)
    const [mine, theirs] = [best(true), best(false)]
    if (!mine || !theirs) return []
    const [a, b] = [mine.accuracy ?? 0, theirs.accuracy ?? 0]
    const reached = `${mine.side} ${a.toFixed(4)}, Vowpal Wabbit ${b.toFixed(4)}`
    return [{ goal: `right/wrong on ${stream}: above Vowpal Wabbit’s best setting`, reached, met: a > b }]
  })
  return [...speed, ...accuracy]
}
