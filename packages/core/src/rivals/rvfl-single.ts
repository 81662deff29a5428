import type { AssessmentId } from '../assessor.ts'
import { RVFL_OPTIONS, type RvflOptions, rvflSettings } from '../rvfl/options.ts'
import { RvflBank } from '../rvfl/rvfl-bank.ts'
import { openSnapshot } from '../state/snapshot.ts'
import type { StateIo } from '../state/state-io.ts'
import { EpsilonGreedyAssessor, type EpsilonGreedyOptions } from './base/epsilon-greedy.ts'

/** Options of {@link Rvfl} and {@link RvflHddmNp}. */
export type RvflSingleOptions = RvflOptions & EpsilonGreedyOptions

/** One network of the bank, run ε-greedily. */
abstract class SingleNetwork extends EpsilonGreedyAssessor {
  private readonly bank: RvflBank

  constructor(method: string, options: RvflSingleOptions, adapts: Pick<RvflOptions, 'drift' | 'penalty'>) {
    super(method, options, RVFL_OPTIONS)
    this.bank = new RvflBank(rvflSettings({ ...adapts, ...options }, 1))
  }

  protected predict(x: Float64Array, out: Float64Array, votes: Int32Array, id: AssessmentId): void {
    this.bank.predict(x, id)
    out.set(this.bank.confidences)
    votes[0] = this.bank.votes[0]
  }

  protected teach(x: Float64Array, level: number, id: AssessmentId): void {
    this.bank.teach(x, id, level)
    this.drifts[0] |= this.bank.drifts[0]
    this.bank.drifts[0] = 0
  }

  protected override refute(x: Float64Array, level: number, id: AssessmentId): void {
    this.bank.refute(x, id, level)
  }

  protected transferModel(io: StateIo): void {
    this.bank.transfer(io)
  }
}

/**
 * A single RVFL network that learns from known labels only: the paper's baseline "RVFL". It never forgets and tests
 * for no drift.
 */
export class Rvfl extends SingleNetwork {
  constructor(options: RvflSingleOptions) {
    super('rvfl', options, { drift: false, penalty: false })
  }

  /** Makes an assessor from a snapshot that goes on with the same bits. */
  static restore(bytes: Uint8Array): Rvfl {
    const snapshot = openSnapshot(bytes, 'rvfl')
    return snapshot.into(new Rvfl(snapshot.options))
  }
}

/**
 * A single RVFL network with drift test and penalty target: the paper's ablation "RVFL_HDDM-NP", PB-OEL without the
 * ensemble.
 */
export class RvflHddmNp extends SingleNetwork {
  constructor(options: RvflSingleOptions) {
    super('rvfl-hddm-np', options, {})
  }

  /** Makes an assessor from a snapshot that goes on with the same bits. */
  static restore(bytes: Uint8Array): RvflHddmNp {
    const snapshot = openSnapshot(bytes, 'rvfl-hddm-np')
    return snapshot.into(new RvflHddmNp(snapshot.options))
  }
}
