import { describe, expect, it } from 'vitest'
import type { DriftSignal } from '../drift/detector.ts'
import { copyState } from '../laws/law.ts'
import { readOptions } from '../options/option-table.ts'
import { RVFL_OPTIONS, rvflSettings } from '../rvfl/options.ts'
import { RvflBank, type RvflBankSettings } from '../rvfl/rvfl-bank.ts'
import { Blend } from './blend.ts'
import { Committee, type CommitteePlan } from './committee.ts'
import type { Expert } from './expert.ts'

const LEVELS = 3

/** An expert that says what it is told to say, and notes what it hears. */
class Parrot implements Expert {
  readonly heard: unknown[] = []
  /** How often it was asked. */
  asked = 0
  private readonly says: readonly number[]

  constructor(...says: number[]) {
    this.says = says
  }

  predict(_: Float64Array, out: Float64Array): void {
    this.asked++
    out.set(this.says)
  }

  teach(x: Float64Array, id: number, level: number): void {
    this.heard.push(['teach', [...x], id, level])
  }

  refute(x: Float64Array, id: number, level: number): void {
    this.heard.push(['refute', [...x], id, level])
  }

  transfer(): void {}
}

const first = () => new Parrot(0.6, 0.3, 0.1)
const second = () => new Parrot(0.2, 0.3, 0.5)

function settingsOf({
  networks = 0,
  warmUp = [] as { x: number[]; level: number }[],
  drift = undefined as false | undefined,
} = {}): RvflBankSettings {
  const options = readOptions(RVFL_OPTIONS, { channels: 2, levels: LEVELS, groups: 1, nodes: 3, warmUp, drift })
  return rvflSettings(options, networks)
}

function committeeOf(
  members: readonly Expert[],
  plan: CommitteePlan = {},
  settings: Parameters<typeof settingsOf>[0] = {},
): Committee {
  return new Committee(settingsOf(settings), members, plan)
}

const X = Float64Array.of(1, 2)

describe('a committee', () => {
  it('shows networks first, then members, then the blend of all others', () => {
    const committee = committeeOf([first(), new Parrot(0.1, 0.2, 0.7)], { blend: true }, { networks: 1 })
    committee.predict(X, 0)
    expect(committee.size).toBe(4)
    expect([...committee.confidences.subarray(3, 9)]).toEqual([0.6, 0.3, 0.1, 0.1, 0.2, 0.7])
    expect([...committee.votes.subarray(1, 3)]).toEqual([0, 2])
    const expected = new Float64Array(LEVELS)
    new Blend(3, LEVELS).predict(committee.confidences, expected)
    expect(committee.confidences.subarray(9)).toEqual(expected)
    // 0.1 · 0.7 is more than 0.6 · 0.1 and 0.3 · 0.2.
    expect(committee.votes[3]).toBe(2)
  })

  it('networks learn the warm-up set', () => {
    const warmUp = [0, 1, 2].map((level) => ({ x: [level, -level], level }))
    const settings = settingsOf({ networks: 2, warmUp })
    const [committee, bank] = [new Committee(settings, []), new RvflBank(settings)]
    for (const { x, level } of warmUp) {
      committee.predict(Float64Array.from(x), level)
      bank.predict(Float64Array.from(x), level)
      expect(committee.confidences).toEqual(bank.confidences)
      expect(new Set(bank.confidences).size).toBeGreaterThan(1)
    }
  })

  it('shows a refit once, also after it was copied', () => {
    let told = 0
    const monitor = {
      binary: false,
      create: () => ({ update: () => (told++ === 1 ? 'drift' : 'none') as DriftSignal, reset() {}, transfer() {} }),
    }
    const make = () => new Committee({ ...settingsOf({ networks: 1 }), monitor }, [first()], { blend: true })
    const committee = make()
    committee.teach(X, 0, 1)
    expect([...committee.drifts]).toEqual([0, 0, 0])
    committee.teach(X, 1, 1)
    expect([...committee.drifts]).toEqual([1, 0, 0])
    expect([...copyState(committee, make()).drifts]).toEqual([1, 0, 0])
    committee.drifts.fill(0)
    committee.teach(X, 2, 1)
    expect([...committee.drifts]).toEqual([0, 0, 0])
  })

  it('asks its experts again only where the blend needs it: another sample or a restart came between', () => {
    const [one, other] = [first(), second()]
    const blended = committeeOf([one], { blend: true })
    blended.predict(X, 0)
    blended.teach(X, 0, 1)
    expect(one.asked).toBe(1)
    // Taught without having been asked about that sample, as after a restart: it must ask first.
    const learns = (committee: Committee, member: Parrot, id: number, teach: boolean) => {
      const before = member.asked
      if (teach) committee.teach(X, id, 1)
      else committee.refute(X, id, 1)
      return member.asked - before
    }
    for (const teach of [true, false, true]) for (const id of [0, 1, 1]) expect(learns(blended, one, id, teach)).toBe(1)
    const member = first()
    const restored = copyState(blended, committeeOf([member], { blend: true }))
    expect(learns(restored, member, 1, true)).toBe(1)
    const fresh = first()
    expect(learns(committeeOf([fresh], { blend: true }), fresh, 1, true)).toBe(1)
    const plain = committeeOf([other])
    for (const teach of [true, false]) expect(learns(plain, other, 1, teach)).toBe(0)
  })

  it('votes for the level of least expected cost where there are costs', () => {
    // A miss of level 2 costs ten times as much as any other mistake.
    const costs = Float64Array.of(0, 1, 1, 1, 0, 1, 10, 10, 0).map((cost) => cost / 10)
    const committee = committeeOf([first(), second(), new Parrot(0.95, 0.04, 0.01)], { costs })
    committee.predict(X, 0)
    expect([...committee.votes]).toEqual([2, 2, 0])
  })

  it('tells every member what was told, also of the warm-up, and the blend what the others said of that sample', () => {
    const [one, other] = [first(), second()]
    const committee = committeeOf([one, other], { blend: true }, { warmUp: [{ x: [5, 6], level: 1 }] })
    const reference = new Blend(2, LEVELS)
    const advice = Float64Array.of(0.6, 0.3, 0.1, 0.2, 0.3, 0.5)
    const blended = new Float64Array(LEVELS)
    committee.predict(X, 0)
    committee.predict(Float64Array.of(9, 9), 1)
    committee.teach(X, 0, 2)
    committee.refute(Float64Array.of(9, 9), 1, 0)
    reference.predict(advice, blended)
    reference.teach(2)
    reference.predict(advice, blended)
    reference.refute(0)
    reference.predict(advice, blended)
    committee.predict(X, 2)
    expect(committee.confidences.subarray(6)).toEqual(blended)
    const told = [
      ['teach', [5, 6], -1, 1],
      ['teach', [1, 2], 0, 2],
      ['refute', [9, 9], 1, 0],
    ]
    expect([one.heard, other.heard]).toEqual([told, told])
    const copy = copyState(committee, committeeOf([first(), second()], { blend: true }))
    copy.predict(X, 2)
    expect(copy.confidences).toEqual(committee.confidences)
  })

  it('draws outlying values in before any member sees them, and lets usual ones through', () => {
    const member = first()
    const warmUp = Array.from({ length: 40 }, (_, i) => ({ x: [i % 5, i % 7], level: 0 }))
    const committee = committeeOf([member], { guard: true }, { warmUp })
    committee.teach(Float64Array.of(2, 3), 0, 1)
    committee.refute(Float64Array.of(1e6, 3), 1, 1)
    const [usual, outlying] = member.heard.slice(-2) as [string, number[]][]
    expect(usual[1]).toEqual([2, 3])
    expect(outlying[1][0]).toBeLessThan(1000)
    expect(outlying[1][1]).toBe(3)
  })

  it('networks learn from labels and rejections as a committee of them alone does', () => {
    const settings = { networks: 2, drift: false as const }
    const [alone, accompanied] = [committeeOf([], {}, settings), committeeOf([first()], {}, settings)]
    for (const committee of [alone, accompanied]) {
      committee.predict(X, 0)
      committee.teach(X, 0, 1)
    }
    for (const committee of [alone, accompanied]) committee.predict(X, 1)
    expect([...alone.votes]).toEqual([1, 1])
    expect(accompanied.confidences.subarray(0, 6)).toEqual(alone.confidences)
    const before = alone.confidences.slice()
    alone.refute(X, 1, 1)
    alone.predict(X, 2)
    expect(alone.confidences[1]).toBeLessThan(before[1])
  })
})
