import type { AssessmentId } from '../assessor.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions, type SettingsOf } from '../options/option-table.ts'
import { TASK_OPTIONS } from '../options/task-options.ts'
import { RobustScaler } from '../scaling/robust-scaler.ts'
import { type Stateful, type StateIo, StateReader, stateBytes } from '../state/state-io.ts'
import { Calibration } from './calibration.ts'
import { References } from './references.ts'

/** The options of {@link Novelty}. */
export const NOVELTY_OPTIONS = {
  channels: TASK_OPTIONS.channels,
  levels: TASK_OPTIONS.levels,
  falseAlarmEvery: option.integer({
    from: 10,
    to: 10_000,
    default: 1000,
    about: 'Of the samples of known levels, at most one in so many is called novel.',
  }),
  references: option.integer({
    from: 1,
    to: 10_000,
    default: 50,
    about: 'Told samples that are kept per level to measure distances to.',
  }),
  seed: TASK_OPTIONS.seed,
  pending: TASK_OPTIONS.pending,
  warmUp: TASK_OPTIONS.warmUp,
}

/** Options of {@link Novelty}, as {@link NOVELTY_OPTIONS} declares them. */
export type NoveltyOptions = OptionsOf<typeof NOVELTY_OPTIONS>

/** What is said of one sample. */
export interface NoveltyFinding {
  /** Conformal p-value, in (0, 1]: how rare a sample of a known level is that lies as far off as this one. */
  readonly pValue: number
  /** Whether the p-value is at most 1 / `falseAlarmEvery`: the sample is of none of the known levels. */
  readonly novel: boolean
}

/** Stands for the score of a sample that came before there was enough to compare it with. */
const NONE = -1

/** So many times as many scores are kept as are needed. */
const SCORES = 4

/** What a channel that has never moved is multiplied by: when it moves, the distance is infinite. */
const STILL = 1e200

// Where a row of a pending sample holds what; its values follow.
const ID = 0
const SCORE = 1
const HEAD = 2

/**
 * Finds samples of none of the known levels, at a stated rate of false alarms.
 *
 * The score of a sample is its distance to the nearest of the {@link References}: samples whose level was told. Each
 * channel is measured in its deviations; a channel that has never moved and moves now is far off. The p-value of the
 * score is conformal: its rank among the scores of the latest answered samples (V. Vovk, A. Gammerman, G. Shafer,
 * "Algorithmic Learning in a Random World", 2005). While answered and new samples are exchangeable, a sample of a known
 * level is called novel with a probability of at most 1 / `falseAlarmEvery`. References that are added later only
 * lower the score of a new sample against the earlier ones, so the rate falls while they fill up.
 *
 * Under drift samples move away from what was told, and more than the stated share is called novel. Answers end that:
 * whoever tells their level makes them references and their scores usual. A sample of a level that nobody had told
 * when it came is no false alarm, so its score does not count as usual.
 *
 * @example
 * import { Novelty } from '@pb-oel/core'
 * const novelty = new Novelty({ channels: 1, levels: 2, falseAlarmEvery: 20 })
 * for (let id = 0; id < 200; id++) {
 *   novelty.assess(id, Float64Array.of((id % 2) + (id % 7) / 100))
 *   novelty.told(id, id % 2)
 * }
 * novelty.assess(200, Float64Array.of(5)).novel // true
 * novelty.assess(201, Float64Array.of(1.02)).novel // false
 */
export class Novelty implements Stateful {
  private readonly settings: SettingsOf<typeof NOVELTY_OPTIONS>
  private readonly references: References
  private readonly calibration: Calibration
  private readonly scaler: RobustScaler
  private readonly scale: Float64Array
  /** The latest samples and their scores; a ring of rows. */
  private readonly pending: Float64Array
  /** Numbers of the first and of the latest sample; −1 before any. */
  private first = -1
  private latest = -1
  private learned = 0
  private found = 0

  constructor(options: NoveltyOptions) {
    this.settings = readOptions(NOVELTY_OPTIONS, options)
    const { channels, levels, falseAlarmEvery, references, seed, pending, warmUp } = this.settings
    this.references = new References(channels, levels, references, seed)
    this.calibration = new Calibration(SCORES * falseAlarmEvery)
    this.scaler = new RobustScaler(channels, 'relative')
    this.scale = new Float64Array(channels)
    this.pending = new Float64Array(pending * (HEAD + channels)).fill(-1)
    for (const { x, level } of warmUp) this.learn(Float64Array.from(x), level)
  }

  /** How many samples were called novel. */
  get novel(): number {
    return this.found
  }

  /** How many more answers are needed at least before any sample can be called novel. */
  get missing(): number {
    const opening = Math.max(0, this.settings.references - this.learned)
    return opening + Math.max(0, this.settings.falseAlarmEvery - 1 - this.calibration.size)
  }

  /**
   * Scores a sample, and keeps it until its answer comes or `pending` newer ones have come.
   *
   * @param id number of its assessment: larger than all before
   */
  assess(id: AssessmentId, x: Float64Array): NoveltyFinding {
    const score = this.references.nearest(x, this.scale)
    if (this.first < 0) this.first = id
    this.latest = id
    const at = this.offset(id)
    this.pending[at + ID] = id
    // The first distances are those to few references, and in deviations of few samples.
    this.pending[at + SCORE] = this.learned >= this.settings.references ? score : NONE
    this.pending.set(x, at + HEAD)
    const pValue = this.calibration.pValue(score)
    const novel = pValue <= 1 / this.settings.falseAlarmEvery
    if (novel) this.found++
    return { pValue, novel }
  }

  /**
   * Hears that a person found a sample to be of a known level.
   *
   * @param id number of its assessment; nothing happens when the sample is no longer kept, or was told before
   * @param level the level, left out where it was not named: somebody said only that the assessed one is wrong
   */
  told(id: AssessmentId, level?: number): void {
    const at = this.offset(id)
    if (id < this.first || this.pending[at + ID] !== id) return
    this.pending[at + ID] = -1
    const score = this.pending[at + SCORE]
    const known = level === undefined || this.references.knew(level, id)
    if (known && score !== NONE) this.calibration.add(score)
    if (level !== undefined) this.learn(this.pending.slice(at + HEAD, at + HEAD + this.settings.channels), level)
  }

  /** The same with another rate of false alarms: what was told stays known. */
  changed(falseAlarmEvery: number): Novelty {
    const { warmUp: _, ...settings } = this.settings
    const next = new Novelty({ ...settings, falseAlarmEvery })
    next.restore(this.snapshot())
    return next
  }

  /** One more level behind the others. */
  addLevel(): void {
    this.settings.levels++
    this.references.addLevel()
  }

  /** The state as bytes. */
  snapshot(): Uint8Array {
    return stateBytes(this)
  }

  /** Goes on from the snapshot of one with the same options. */
  restore(bytes: Uint8Array): void {
    this.transfer(new StateReader(bytes))
  }

  transfer(io: StateIo): void {
    this.references.transfer(io)
    this.calibration.transfer(io)
    this.scaler.transfer(io)
    io.fill(this.scale)
    this.first = io.number(this.first)
    this.latest = io.number(this.latest)
    const { pending, channels } = this.settings
    const used = this.first < 0 ? 0 : Math.min(this.latest - this.first + 1, pending)
    io.fill(this.pending.subarray(0, used * (HEAD + channels)))
    this.learned = io.number(this.learned)
    this.found = io.number(this.found)
  }

  private learn(x: Float64Array, level: number): void {
    this.references.add(x, level, this.latest)
    this.scaler.feed(x)
    this.scaler.copyScale(this.scale)
    for (let i = 0; i < this.scale.length; i++) this.scale[i] ||= STILL
    this.learned++
  }

  private offset(id: AssessmentId): number {
    return ((id - this.first) % this.settings.pending) * (HEAD + this.settings.channels)
  }
}
