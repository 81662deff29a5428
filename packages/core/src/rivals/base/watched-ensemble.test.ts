import { describe, expect, it } from 'vitest'
import { copyState } from '../../laws/law.ts'
import { WatchedEnsemble } from './watched-ensemble.ts'

function ensemble(members: number): WatchedEnsemble {
  return new WatchedEnsemble({
    channels: 1,
    levels: 2,
    members,
    base: 'naive-bayes',
    delta: 0.002,
    compat: 'canonical',
  })
}

/** Feeds every member its own sequence, value by value, and returns who was replaced when. */
function watch(watched: WatchedEnsemble, sequences: number[][]): { at: number; member: number }[] {
  const replaced: { at: number; member: number }[] = []
  for (let i = 0; i < sequences[0].length; i++) {
    sequences.forEach((sequence, member) => {
      watched.watch(member, sequence[i])
    })
    const member = watched.settle()
    if (member >= 0) replaced.push({ at: i, member })
  }
  return replaced
}

const steps = (...parts: [value: number, count: number][]): number[] =>
  parts.flatMap(([value, count]) => new Array<number>(count).fill(value))

describe('WatchedEnsemble', () => {
  it('replaces the worst member, which need not be the one whose error rose', () => {
    // Member 0 errs always, which is no change; member 1 begins to err after 200 values and is seen at 223 (ADWIN).
    const replaced = watch(ensemble(2), [steps([1, 224]), steps([0, 200], [1, 24])])
    expect(replaced).toEqual([{ at: 223, member: 0 }])
  })

  it('does nothing when errors become rarer', () => {
    expect(watch(ensemble(2), [steps([1, 200], [0, 200]), steps([1, 400])])).toEqual([])
  })

  it('does not answer for a member what the one before it, or the one before a loaded state, has said', () => {
    const x = Float64Array.of(1)
    const watched = ensemble(1)
    watched.train(0, x, 1, 1)
    expect(Array.from(watched.ask(0, x))).toEqual([0, 1])
    const other = ensemble(1)
    expect(Array.from(other.ask(0, x))).toEqual([0.5, 0.5])
    copyState(watched, other)
    expect(Array.from(other.ask(0, x))).toEqual([0, 1])
    expect(Array.from(watched.ask(0, x))).toEqual([0, 1])
    expect(watch(watched, [steps([0, 200], [1, 24])])).toHaveLength(1)
    expect(Array.from(watched.ask(0, x))).toEqual([0.5, 0.5])
  })

  it('asks a member once about a sample, and again after it has learned', () => {
    const watched = ensemble(2)
    const x = Float64Array.of(1)
    expect(watched.error(0, x, 1)).toBe(1)
    watched.train(0, x, 1, 1)
    expect(watched.error(0, x, 1)).toBe(0)
    expect(watched.error(1, x, 1)).toBe(1)
    watched.train(1, x, 1, 0)
    expect(watched.error(1, x, 1)).toBe(1)
    x[0] = 5
    expect(Array.from(watched.ask(0, x))).toEqual([0, 1])
  })
})
