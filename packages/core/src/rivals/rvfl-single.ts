import type { AssessmentId } from '../assessor.ts'
import { DETECTORS } from '../drift/detectors.ts'
import { KNOWN_DETECTORS } from '../drift/known-detectors.ts'
import { defineMethod, type Extensions, type Method } from '../method.ts'
import { type OptionsOf, readOptions, type SettingsOf } from '../options/option-table.ts'
import { RVFL_OPTIONS, rvflSettings } from '../rvfl/options.ts'
import { RvflBank } from '../rvfl/rvfl-bank.ts'
import type { StateIo } from '../state/state-io.ts'
import { EpsilonGreedyAssessor, RIVAL_OPTIONS } from './base/epsilon-greedy.ts'

// `@pb-oel/core/rivals` may be imported on its own.
KNOWN_DETECTORS.add(DETECTORS)

/** The options of {@link RvflHddmNp}. */
export const RVFL_HDDM_NP_OPTIONS = { ...RVFL_OPTIONS, ...RIVAL_OPTIONS }

/** The options of {@link Rvfl}, which by default neither tests for drift nor learns from rejections. */
export const RVFL_SINGLE_OPTIONS = {
  ...RVFL_HDDM_NP_OPTIONS,
  drift: { ...RVFL_OPTIONS.drift, otherwise: '`false` where there is no `detector`' },
  penalty: { ...RVFL_OPTIONS.penalty, default: false as const },
}

/** Options of {@link Rvfl} and {@link RvflHddmNp}, as {@link RVFL_HDDM_NP_OPTIONS} declares them. */
export type RvflSingleOptions = OptionsOf<typeof RVFL_HDDM_NP_OPTIONS>

type Settings = SettingsOf<typeof RVFL_HDDM_NP_OPTIONS>

/** One network of the bank, run ε-greedily. */
abstract class SingleNetwork extends EpsilonGreedyAssessor {
  private readonly bank: RvflBank

  constructor(method: Method, options: RvflSingleOptions, settings: Settings, extensions?: Extensions) {
    super(method, options)
    this.bank = new RvflBank(rvflSettings(settings, 1, { extensions }))
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
  /** @param extensions detectors from outside that the options name */
  constructor(options: RvflSingleOptions, extensions?: Extensions) {
    const settings = readOptions(RVFL_SINGLE_OPTIONS, options)
    const { detector, drift = detector === undefined ? false : undefined } = settings
    super(RVFL, options, { ...settings, drift }, extensions)
  }

  /** Makes an assessor from a snapshot that goes on with the same bits. */
  static restore(bytes: Uint8Array, extensions?: Extensions): Rvfl {
    return RVFL.restore(bytes, extensions)
  }
}

/**
 * A single RVFL network with drift test and penalty target: the paper's ablation "RVFL_HDDM-NP", PB-OEL without the
 * ensemble.
 */
export class RvflHddmNp extends SingleNetwork {
  /** @param extensions detectors from outside that the options name */
  constructor(options: RvflSingleOptions, extensions?: Extensions) {
    super(RVFL_HDDM_NP, options, readOptions(RVFL_HDDM_NP_OPTIONS, options), extensions)
  }

  /** Makes an assessor from a snapshot that goes on with the same bits. */
  static restore(bytes: Uint8Array, extensions?: Extensions): RvflHddmNp {
    return RVFL_HDDM_NP.restore(bytes, extensions)
  }
}

/** The entry of {@link Rvfl}. */
export const RVFL: Method<Rvfl> = defineMethod({
  name: 'rvfl',
  title: 'RVFL',
  role: 'rival',
  summary: 'a single RVFL network, known labels only',
  options: RVFL_SINGLE_OPTIONS,
  widens: true,
  make: (options, extensions) => new Rvfl(options, extensions),
})

/** The entry of {@link RvflHddmNp}. */
export const RVFL_HDDM_NP: Method<RvflHddmNp> = defineMethod({
  name: 'rvfl-hddm-np',
  title: 'RVFL HDDM-NP',
  role: 'rival',
  summary: 'a single RVFL network with drift test and penalty targets',
  options: RVFL_HDDM_NP_OPTIONS,
  widens: true,
  make: (options, extensions) => new RvflHddmNp(options, extensions),
})
