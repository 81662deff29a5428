import { describe, expect, it } from 'vitest'
import { StateReader, StateWriter } from '../state/state-io.ts'
import { StaggeredWindow } from './staggered-window.ts'

/** How many samples were opened and how many answered: the sums of a small account. */
const OPENED = 0
const SETTLED = 1

class Counter {
  readonly sums = new Float64Array(2)
  readonly window: StaggeredWindow

  constructor(length: number) {
    this.window = new StaggeredWindow(length, 2)
  }

  open(): void {
    this.window.advance(this.sums)
    this.sums[OPENED]++
  }

  settle(id: number): void {
    this.sums[SETTLED]++
    this.window.changeMarksAfter(id, (mark) => mark[SETTLED]++)
  }

  get latest(): number[] {
    return Array.from(this.sums, (sum, i) => sum - this.window.mark[i])
  }
}

describe('StaggeredWindow', () => {
  it('covers between half a length and a whole one, once there were as many', () => {
    const counter = new Counter(100)
    for (let t = 0; t < 1000; t++) {
      counter.open()
      const covered = t + 1 - counter.window.start
      expect(counter.latest[OPENED]).toBe(covered)
      expect(covered).toBeLessThanOrEqual(100)
      if (t >= 50) expect(covered).toBeGreaterThan(50)
    }
  })

  it('keeps answers to samples from before its start out', () => {
    const counter = new Counter(100)
    for (let t = 0; t < 500; t++) {
      counter.open()
      if (t >= 70) counter.settle(t - 70)
      expect(counter.latest[SETTLED]).toBe(Math.max(0, t - 70 - counter.window.start + 1))
    }
  })

  it('goes on from a saved state', () => {
    const [one, two] = [new Counter(10), new Counter(10)]
    for (let t = 0; t < 37; t++) one.open()
    const writer = new StateWriter()
    one.window.transfer(writer)
    two.window.transfer(new StateReader(writer.finish()))
    two.sums.set(one.sums)
    for (let t = 0; t < 20; t++) {
      for (const counter of [one, two]) counter.open()
      expect([two.window.start, ...two.latest]).toEqual([one.window.start, ...one.latest])
    }
  })
})
