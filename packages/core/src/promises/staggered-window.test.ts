import { describe, expect, it } from 'vitest'
import type { StateIo } from '../state/state-io.ts'
import { StateReader, StateWriter } from '../state/state-io.ts'
import { StaggeredWindow } from './staggered-window.ts'

class Counter {
  opened = 0
  settled = 0
  reset(): void {
    this.opened = this.settled = 0
  }
  transfer(io: StateIo): void {
    this.opened = io.number(this.opened)
    this.settled = io.number(this.settled)
  }
}

function open(window: StaggeredWindow<Counter>): void {
  window.advance()
  for (const counter of window.accounts) counter.opened++
}

describe('StaggeredWindow', () => {
  it('covers between half a length and a whole one, once there were as many', () => {
    const window = new StaggeredWindow(100, () => new Counter())
    for (let t = 0; t < 1000; t++) {
      open(window)
      const covered = t + 1 - window.start
      expect(window.account.opened).toBe(covered)
      expect(covered).toBeLessThanOrEqual(100)
      if (t >= 50) expect(covered).toBeGreaterThan(50)
    }
  })

  it('keeps answers to samples from before its start out', () => {
    const window = new StaggeredWindow(100, () => new Counter())
    for (let t = 0; t < 500; t++) {
      open(window)
      for (let i = 0; i < 2; i++) if (t >= 70 && window.covers(i, t - 70)) window.accounts[i].settled++
      expect(window.account.settled).toBe(Math.max(0, t - 70 - window.start + 1))
    }
  })

  it('goes on from a saved state', () => {
    const one = new StaggeredWindow(10, () => new Counter())
    for (let t = 0; t < 37; t++) open(one)
    const writer = new StateWriter()
    one.transfer(writer)
    const two = new StaggeredWindow(10, () => new Counter())
    two.transfer(new StateReader(writer.finish()))
    for (let t = 0; t < 20; t++) {
      for (const window of [one, two]) open(window)
      expect([two.start, two.account.opened]).toEqual([one.start, one.account.opened])
    }
  })
})
