import { defineMethod, EpsilonGreedyAssessor, type Method, RIVAL_OPTIONS, type StateIo } from '@pb-oel/core'

/** What the value of the first channel makes {@link Broken} do. */
export const BREAKS = { throws: 1001, loops: 1002, 'exhausts memory': 1003, 'ends its thread': 1004 }

/** A method from outside that says the last level it was told, until a sample breaks it. */
class Broken extends EpsilonGreedyAssessor {
  private last = 0

  protected predict(x: Float64Array, out: Float64Array, votes: Int32Array): void {
    // The defect comes after a change, so that half a change is left behind.
    if (x[0] > 1000) this.last = this.levels - 1
    if (x[0] === BREAKS.throws) throw new TypeError('a defect of the module')
    if (x[0] === BREAKS.loops) for (;;);
    if (x[0] === BREAKS['exhausts memory']) {
      for (const eaten: number[][] = []; ; ) eaten.push(Array.from({ length: 1e4 }, Math.random))
    }
    if (x[0] === BREAKS['ends its thread']) process.exit(3)
    out.fill(0)
    out[this.last] = 1
    votes[0] = this.last
  }

  protected teach(_x: Float64Array, level: number): void {
    this.last = level
  }

  protected transferModel(io: StateIo): void {
    this.last = io.number(this.last)
  }
}

const broken: Method<Broken> = defineMethod({
  name: 'broken',
  title: 'broken',
  role: 'baseline',
  summary: 'breaks when a sample says so',
  options: RIVAL_OPTIONS,
  make: (options) => new Broken(broken, options),
})

export default broken
