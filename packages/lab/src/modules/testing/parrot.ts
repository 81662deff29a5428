import { defineMethod, EpsilonGreedyAssessor, type Method, RIVAL_OPTIONS, type StateIo } from '@pb-oel/core'

class Parrot extends EpsilonGreedyAssessor {
  private last = 0

  protected predict(_x: Float64Array, out: Float64Array, votes: Int32Array): void {
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

/** A method from outside: says the level that was taught last. */
const parrot: Method = defineMethod({
  name: 'parrot',
  title: 'parrot',
  role: 'baseline',
  summary: 'says the level that was taught last',
  options: RIVAL_OPTIONS,
  make: (options) => new Parrot(parrot, options),
})
export default parrot
