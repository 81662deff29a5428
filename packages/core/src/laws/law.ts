import { type Stateful, StateReader, StateWriter } from '../state/state-io.ts'

/** One law of a suite, for any test runner: `for (const law of laws(subject)) it(law.name, law.check)`. */
export interface Law {
  readonly name: string
  /** Why the subject is excused from this law, where it is; `check` then does nothing. */
  readonly excused?: string
  /** Throws a {@link BrokenLaw} unless the law holds. */
  check(): void
}

/** What a law throws when it does not hold. */
export class BrokenLaw extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BrokenLaw'
  }
}

/** Throws a {@link BrokenLaw} with `message` unless `condition` is true. */
export function holds(condition: boolean, message: string): void {
  if (!condition) throw new BrokenLaw(message)
}

/** Whether two arrays hold the same values, number by number. */
export function same(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false
  return true
}

/** Whether `p` is a distribution: no number below 0, sum 1. */
export function isDistribution(p: Float64Array): boolean {
  let sum = 0
  for (let i = 0; i < p.length; i++) {
    if (!(p[i] >= 0)) return false
    sum += p[i]
  }
  return Math.abs(sum - 1) < 1e-9
}

/** Saves the state of one component, loads it into another, and returns that. */
export function copyState<S extends Stateful>(from: S, to: S): S {
  const writer = new StateWriter()
  from.transfer(writer)
  const reader = new StateReader(writer.finish())
  to.transfer(reader)
  reader.end()
  return to
}
