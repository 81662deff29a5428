import type { AssessmentId } from '../assessor.ts'
import { cheapestLevel } from '../decision/cost-matrix.ts'
import { argmax } from '../learners/learner.ts'
import { RvflBank, type RvflBankSettings } from '../rvfl/rvfl-bank.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'
import type { Expert } from './expert.ts'

/** All experts of an ensemble side by side: first the networks of the bank, then the members. */
export class Committee implements Stateful {
  /** Number of experts N. */
  readonly size: number
  /** Each expert's confidences of the latest `predict`, N × K. */
  readonly confidences: Float64Array
  /** Each expert's level of the latest `predict`. */
  readonly votes: Int32Array
  /** 1 for each expert that was refitted because of drift since the owner last cleared it; only networks are. */
  readonly drifts: Uint8Array
  private readonly bank: RvflBank | undefined
  private readonly members: readonly Expert[]
  private readonly slices: Float64Array[]
  private readonly costs: Float64Array | undefined

  /**
   * @param settings of the networks; there may be none
   * @param costs scaled, K × K: experts then vote for their level of least expected cost, not the likeliest
   */
  constructor(settings: RvflBankSettings, members: readonly Expert[], costs?: Float64Array) {
    const { networks, levels } = settings
    this.costs = costs
    this.size = networks + members.length
    this.members = members
    this.bank = networks > 0 ? new RvflBank(settings) : undefined
    this.confidences = new Float64Array(this.size * levels)
    this.votes = new Int32Array(this.size)
    this.drifts = new Uint8Array(this.size)
    this.slices = members.map((_, i) => this.confidences.subarray((networks + i) * levels, (networks + i + 1) * levels))
    for (const { x, level } of settings.warmUp) this.teachMembers(Float64Array.from(x), -1, level)
  }

  /** Fills `confidences` and `votes` for assessment `id` of sample `x`. */
  predict(x: Float64Array, id: AssessmentId): void {
    const { bank, members, slices, votes } = this
    if (bank) {
      bank.predict(x, id)
      this.confidences.set(bank.confidences)
      votes.set(bank.votes)
    }
    const networks = this.size - members.length
    for (let i = 0; i < members.length; i++) {
      members[i].predict(x, slices[i])
      votes[networks + i] = argmax(slices[i])
    }
    if (this.costs) this.voteByCost(this.costs)
  }

  /** Every expert learns that the sample `x` of assessment `id` has `level`. */
  teach(x: Float64Array, id: AssessmentId, level: number): void {
    const { bank, drifts } = this
    if (bank) {
      bank.teach(x, id, level)
      for (let n = 0; n < bank.drifts.length; n++) drifts[n] |= bank.drifts[n]
      bank.drifts.fill(0)
    }
    this.teachMembers(x, id, level)
  }

  /** Every expert learns that the sample `x` of assessment `id` does not have `level`. */
  refute(x: Float64Array, id: AssessmentId, level: number): void {
    this.bank?.refute(x, id, level)
    for (let i = 0; i < this.members.length; i++) this.members[i].refute(x, id, level)
  }

  transfer(io: StateIo): void {
    this.bank?.transfer(io)
    for (const member of this.members) member.transfer(io)
    io.fill(this.drifts)
  }

  private voteByCost(costs: Float64Array): void {
    const levels = this.confidences.length / this.size
    for (let n = 0; n < this.size; n++) this.votes[n] = cheapestLevel(costs, levels, this.confidences, n * levels)
  }

  private teachMembers(x: Float64Array, id: AssessmentId, level: number): void {
    for (let i = 0; i < this.members.length; i++) this.members[i].teach(x, id, level)
  }
}
