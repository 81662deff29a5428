import { describe, expect, it } from 'vitest'
import { OptionError } from '../errors.ts'
import { copyState } from '../laws/law.ts'
import { StateWriter } from '../state/state-io.ts'
import { PersistenceExpert } from './persistence.ts'

const X = new Float64Array(1)

describe('PersistenceExpert', () => {
  it('knows nothing at first, then repeats the last known level', () => {
    const expert = new PersistenceExpert(4, 1)
    const out = new Float64Array(4)
    expert.predict(X, out, 0)
    expect([...out]).toEqual([0.25, 0.25, 0.25, 0.25])
    expert.teach(X, 0, 3)
    expert.predict(X, out, 1)
    expect([...out]).toEqual([0, 0, 0, 1])
    expert.teach(X, 1, 1)
    expect(expert.level).toBe(1)
  })

  it('finds a new level from rejections alone within K − 1 moves, the level rejected longest ago first', () => {
    const expert = new PersistenceExpert(4, 1)
    expert.teach(X, 0, 2)
    const tried: number[] = []
    for (let id = 1; id <= 6; id++) {
      expert.refute(X, id, expert.level)
      tried.push(expert.level)
    }
    expect(tried).toEqual([0, 1, 3, 2, 0, 1])
  })

  it('is not moved by a rejection of another level', () => {
    const expert = new PersistenceExpert(3, 1)
    expert.teach(X, 0, 2)
    expert.refute(X, 1, 0)
    expect(expert.level).toBe(2)
    expert.refute(X, 2, 2)
    expect(expert.level).toBe(1)
  })

  it('waits for as many misses in a row as it has patience', () => {
    const expert = new PersistenceExpert(3, 3)
    expert.teach(X, 0, 0)
    expert.teach(X, 1, 1)
    expert.refute(X, 2, 0)
    expect(expert.level).toBe(0)
    expert.teach(X, 3, 0)
    for (let id = 4; id < 6; id++) expert.teach(X, id, 1)
    expect(expert.level).toBe(0)
    expert.teach(X, 6, 1)
    expect(expert.level).toBe(1)
  })

  it('passes over answers older than the newest it has heard', () => {
    const expert = new PersistenceExpert(3, 1)
    expert.teach(X, 10, 2)
    expert.teach(X, 9, 0)
    expert.refute(X, 8, 2)
    expect(expert.level).toBe(2)
    expert.teach(X, 10, 1)
    expect(expert.level).toBe(1)
    // A correction of the newest one counts.
    expert.refute(X, 10, 1)
    expect(expert.level).toBe(0)
  })

  it('counts misses in a row only: a hit between them begins anew', () => {
    const expert = new PersistenceExpert(3, 3)
    for (const [id, level] of [0, 1, 0, 1, 1].entries()) expert.teach(X, id, level)
    expect(expert.level).toBe(0)
    expert.teach(X, 5, 1)
    expect(expert.level).toBe(1)
  })

  /** What it says in assessments `from` … `to` − 1. */
  const saidBy = (expert: PersistenceExpert, from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => {
      const out = new Float64Array(4)
      expert.predict(X, out, from + i)
      return out.indexOf(1)
    })

  it('that searches says all levels not rejected since in turn while answers are late, until one is confirmed', () => {
    const expert = new PersistenceExpert(4, 1, true)
    expert.teach(X, 0, 2)
    expect(saidBy(expert, 1, 4)).toEqual([2, 2, 2])
    expert.refute(X, 1, 2)
    expect(saidBy(expert, 4, 9)).toEqual([0, 1, 3, 0, 1])
    // Asked about an earlier assessment again, it does not go on.
    expect([...saidBy(expert, 5, 6), ...saidBy(expert, 8, 9)]).toEqual([1, 1])
    expert.refute(X, 4, 0)
    expect(saidBy(expert, 9, 12)).toEqual([3, 1, 3])
    expert.teach(X, 5, 1)
    expect(saidBy(expert, 12, 14)).toEqual([1, 1])
  })

  it('that searches leaves out what was rejected since the search began, which may be the first answer', () => {
    const expert = new PersistenceExpert(4, 1, true)
    expert.teach(X, -1, 2)
    expert.refute(X, 0, 2)
    // Asked about the first sample again, and about the next.
    expect(saidBy(expert, 0, 2)).toEqual([0, 1])
    expert.refute(X, 1, 1)
    expect(saidBy(expert, 2, 6)).toEqual([0, 3, 0, 3])
    expert.teach(X, 3, 0)
    expect(saidBy(expert, 6, 8)).toEqual([0, 0])
  })

  it('that searches takes the first label it hears, whatever its patience', () => {
    const expert = new PersistenceExpert(4, 2, true)
    expert.teach(X, -1, 2)
    for (const id of [-1, 0]) expert.refute(X, id, 2)
    expect(saidBy(expert, 1, 3)).toEqual([0, 1])
    expert.teach(X, 2, 3)
    expect(expert.level).toBe(3)
  })

  it('does not search unless told to', () => {
    const expert = new PersistenceExpert(4, 1)
    expert.teach(X, 0, 2)
    expert.refute(X, 1, 2)
    expect(saidBy(expert, 2, 6)).toEqual([0, 0, 0, 0])
  })

  it.each([false, true])('goes on from its state, search %s', (search) => {
    const expert = new PersistenceExpert(4, 2, search)
    expert.teach(X, -1, 2)
    for (const id of [0, 1]) expert.refute(X, id, 2)
    saidBy(expert, 2, 4)
    expert.refute(X, 2, 1)
    const copy = copyState(expert, new PersistenceExpert(4, 2, search))
    const [on, again] = [expert, copy].map((one) => {
      const said = saidBy(one, 4, 7)
      for (const id of [4, 5]) one.refute(X, id, one.level)
      return [...said, ...saidBy(one, 7, 10)]
    })
    expect(again).toEqual(on)
    // Two numbers tell of the search; states from before there was one have none.
    const writer = new StateWriter()
    expert.transfer(writer)
    expect(writer.finish().length).toBe(8 * (3 + 4 + (search ? 2 : 0)))
  })

  it('that searches does as one that does not where answers come at once', () => {
    const experts = [new PersistenceExpert(4, 1), new PersistenceExpert(4, 1, true)]
    const said = experts.map((expert) => {
      const levels: number[] = []
      expert.teach(X, 0, 0)
      for (let id = 1; id < 200; id++) {
        const truth = Math.floor(id / 9) % 4
        const [level] = saidBy(expert, id, id + 1)
        levels.push(level)
        if (level === truth) expert.teach(X, id, truth)
        else expert.refute(X, id, level)
      }
      return levels
    })
    expect(said[1]).toEqual(said[0])
    expect(new Set(said[0]).size).toBe(4)
  })

  it('refuses a patience that is none', () => {
    for (const patience of [0, 1.5, Number.NaN]) expect(() => new PersistenceExpert(3, patience)).toThrow(OptionError)
  })
})
