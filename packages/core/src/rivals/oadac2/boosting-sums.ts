import { log } from '../../math/elementary.ts'
import type { Stateful, StateIo } from '../../state/state-io.ts'

/** Bounds of λ: it grows without limit when a member errs for the first time after a long while. */
const LOWEST = 1e-6
const HIGHEST = 1e3
/** Added to both rates of a vote, so that a member without errors has a finite vote. */
const SMOOTHING = 1e-6

/**
 * What Online AdaC2 keeps of each member: the summed λ of the samples it met, and the cost-weighted λ of those it got
 * right and wrong. Its vote and the λ that it hands on to the next member follow from these.
 *
 * B. Wang, J. Pineau, "Online bagging and boosting for imbalanced data streams", IEEE TKDE 28(12), 2016.
 */
export class BoostingSums implements Stateful {
  private readonly met: Float64Array
  private readonly right: Float64Array
  private readonly wrong: Float64Array
  private readonly rightRate: Float64Array
  private readonly wrongRate: Float64Array

  constructor(members: number) {
    this.met = new Float64Array(members)
    this.right = new Float64Array(members)
    this.wrong = new Float64Array(members)
    this.rightRate = new Float64Array(members)
    this.wrongRate = new Float64Array(members)
  }

  /** A member meets a sample of weight λ, whether it learns it or not. */
  meet(member: number, lambda: number): void {
    this.met[member] += lambda
  }

  /** A member has learned a sample of weight λ and given cost and then judged it; returns the λ for the next member. */
  judge(member: number, lambda: number, cost: number, correct: boolean): number {
    const { right, wrong, rightRate, wrongRate, met } = this
    const share = cost * lambda
    if (correct) right[member] += share
    else wrong[member] += share
    rightRate[member] = right[member] / met[member]
    wrongRate[member] = wrong[member] / met[member]
    const next = share / (2 * (correct ? rightRate[member] : wrongRate[member]))
    return Math.min(HIGHEST, Math.max(LOWEST, next))
  }

  /** The member's vote ln(right rate / wrong rate), both rates raised by 1e-6, and at least 0. */
  vote(member: number): number {
    return Math.max(0, log((this.rightRate[member] + SMOOTHING) / (this.wrongRate[member] + SMOOTHING)))
  }

  /** The vote as in scikit-multiflow: may be negative, and is 0 for a member that was never right or never wrong. */
  plainVote(member: number): number {
    const right = this.rightRate[member]
    const wrong = this.wrongRate[member]
    return right > 0 && wrong > 0 ? log(right / wrong) : 0
  }

  /** Forgets a member. */
  clear(member: number): void {
    for (const sums of this.all()) sums[member] = 0
  }

  transfer(io: StateIo): void {
    for (const sums of this.all()) io.fill(sums)
  }

  private all(): Float64Array[] {
    return [this.met, this.right, this.wrong, this.rightRate, this.wrongRate]
  }
}
