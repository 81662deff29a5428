import type { AssessmentId } from '../assessor.ts'
import { cheapestLevel } from '../decision/cost-matrix.ts'
import { argmax } from '../learners/learner.ts'
import { RvflBank, type RvflBankSettings } from '../rvfl/rvfl-bank.ts'
import { RobustScaler } from '../scaling/robust-scaler.ts'
import type { Stateful, StateIo } from '../state/state-io.ts'
import { Blend } from './blend.ts'
import type { Expert } from './expert.ts'

/** What a committee has beyond its networks and members. */
export interface CommitteePlan {
  /** Scaled, K × K: experts then vote for their level of least expected cost, not the likeliest. */
  readonly costs?: Float64Array
  /** Whether the last expert is a {@link Blend} of all others. */
  readonly blend?: boolean
  /** Whether outlying values are drawn in before any expert sees them. */
  readonly guard?: boolean
}

/** All experts of an ensemble side by side: first the networks of the bank, then the members, then the blend. */
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
  private readonly blend: Blend | undefined
  private readonly blended: Float64Array
  private readonly guard: RobustScaler | undefined
  private readonly drawnIn: Float64Array
  private current = -1

  /**
   * @param settings of the networks; there may be none
   */
  constructor(settings: RvflBankSettings, members: readonly Expert[], plan: CommitteePlan = {}) {
    const { networks, levels, channels } = settings
    const others = networks + members.length
    this.costs = plan.costs
    this.size = others + (plan.blend ? 1 : 0)
    this.members = members
    this.guard = plan.guard ? new RobustScaler(channels, 'relative') : undefined
    this.drawnIn = new Float64Array(channels)
    const warmUp = settings.warmUp.map(({ x, level }) => ({ x: Float64Array.from(x), level }))
    for (const { x } of warmUp) this.guard?.feed(x)
    for (const sample of warmUp) sample.x = Float64Array.from(this.guarded(sample.x))
    this.bank =
      networks > 0
        ? new RvflBank({ ...settings, warmUp: warmUp.map(({ x, level }) => ({ x: [...x], level })) })
        : undefined
    this.confidences = new Float64Array(this.size * levels)
    this.votes = new Int32Array(this.size)
    this.drifts = new Uint8Array(this.size)
    this.slices = members.map((_, i) => this.confidences.subarray((networks + i) * levels, (networks + i + 1) * levels))
    this.blend = plan.blend ? new Blend(others, levels) : undefined
    this.blended = this.confidences.subarray(others * levels)
    for (const { x, level } of warmUp) this.teachMembers(x, -1, level)
  }

  /** Fills `confidences` and `votes` for assessment `id` of sample `x`. */
  predict(sample: Float64Array, id: AssessmentId): void {
    const { bank, members, slices, votes } = this
    const x = this.guarded(sample)
    if (bank) {
      bank.predict(x, id)
      this.confidences.set(bank.confidences)
      votes.set(bank.votes)
    }
    const networks = this.size - members.length - (this.blend ? 1 : 0)
    for (let i = 0; i < members.length; i++) {
      members[i].predict(x, slices[i], id)
      votes[networks + i] = argmax(slices[i])
    }
    if (this.blend) {
      this.blend.predict(this.confidences, this.blended)
      votes[this.size - 1] = argmax(this.blended)
    }
    this.current = id
    if (this.costs) this.voteByCost(this.costs)
  }

  /** Every expert learns that the sample `x` of assessment `id` has `level`. */
  teach(sample: Float64Array, id: AssessmentId, level: number): void {
    const { bank, drifts } = this
    this.recall(sample, id)
    this.blend?.teach(level)
    const x = this.guarded(sample)
    if (bank) {
      bank.teach(x, id, level)
      for (let n = 0; n < bank.drifts.length; n++) drifts[n] |= bank.drifts[n]
      bank.drifts.fill(0)
    }
    this.teachMembers(x, id, level)
    this.guard?.feed(sample)
    this.current = -1
  }

  /** Every expert learns that the sample `x` of assessment `id` does not have `level`. */
  refute(sample: Float64Array, id: AssessmentId, level: number): void {
    this.recall(sample, id)
    this.blend?.refute(level)
    const x = this.guarded(sample)
    this.bank?.refute(x, id, level)
    for (let i = 0; i < this.members.length; i++) this.members[i].refute(x, id, level)
    this.guard?.feed(sample)
    this.current = -1
  }

  transfer(io: StateIo): void {
    this.bank?.transfer(io)
    for (const member of this.members) member.transfer(io)
    io.fill(this.drifts)
    this.blend?.transfer(io)
    this.guard?.transfer(io)
    this.current = -1
  }

  /** The sample with outlying values drawn in, where there is a guard. Valid until the next call. */
  private guarded(x: Float64Array): Float64Array {
    if (!this.guard) return x
    this.guard.drawIn(x, this.drawnIn)
    return this.drawnIn
  }

  /** The blend learns from what the others say of the sample; after a later assessment they are asked again. */
  private recall(sample: Float64Array, id: AssessmentId): void {
    if (this.blend && this.current !== id) this.predict(sample, id)
  }

  private voteByCost(costs: Float64Array): void {
    const levels = this.confidences.length / this.size
    for (let n = 0; n < this.size; n++) this.votes[n] = cheapestLevel(costs, levels, this.confidences, n * levels)
  }

  private teachMembers(x: Float64Array, id: AssessmentId, level: number): void {
    for (let i = 0; i < this.members.length; i++) this.members[i].teach(x, id, level)
  }
}
