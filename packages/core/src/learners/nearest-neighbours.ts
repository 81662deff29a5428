import { Adwin } from '../drift/adwin.ts'
import { integerIn } from '../options/checks.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import { SHAPE_OPTIONS } from '../options/task-options.ts'
import { RobustScaler } from '../scaling/robust-scaler.ts'
import type { StateIo } from '../state/state-io.ts'
import { argmax, defineLearner, type Learner, type LearnerEntry } from './learner.ts'
import { RejectionMemory } from './rejection-memory.ts'

/** The options of {@link NearestNeighbours}. */
export const NEAREST_NEIGHBOURS_OPTIONS = {
  ...SHAPE_OPTIONS,
  neighbours: option.integer({ from: 1, to: 1000, default: 5, about: 'Number of neighbours that vote.' }),
  window: option.integer({
    from: 1,
    to: 1_000_000,
    default: 1000,
    about: 'Samples kept at most, at least as many as `neighbours`.',
  }),
  delta: option.number({
    above: 0,
    to: 1,
    default: 0.002,
    about: 'Significance of the ADWIN that shortens the window.',
  }),
  scaling: option.choice(['none', 'robust'], {
    default: 'none',
    about: '`robust` measures each channel in its own deviations, so that its unit makes no difference.',
  }),
  rejections: option.integer({
    from: 0,
    to: 1_000_000,
    default: 0,
    about:
      'Rejections kept at most. Each one that is no further away than the neighbours takes a vote from the level that ' +
      'was rejected.',
  }),
  compat: option.choice(['canonical', 'skm'], {
    default: 'canonical',
    about:
      '`canonical`: ADWIN is fed what the learner said of a sample before it stored it; `skm`: what it says after, ' +
      'when the sample is its own nearest neighbour, and ADWIN is as in scikit-multiflow.',
  }),
}

/** Options of {@link NearestNeighbours}, as {@link NEAREST_NEIGHBOURS_OPTIONS} declares them. */
export type NearestNeighboursOptions = OptionsOf<typeof NEAREST_NEIGHBOURS_OPTIONS>

/**
 * k nearest neighbours among the latest samples, the window shortened by ADWIN when the error changes.
 *
 * Euclidean distances of raw channels, or of channels in deviations (`scaling`); equal votes; of equally distant
 * samples the one stored first counts. With fewer than k samples every level is equally likely. A weight of w stores
 * the sample w times. Where rejections leave no votes, every level with no more rejections than votes is equally
 * likely.
 *
 * The latest answer is kept, because testing and then training asks the same question two or three times.
 *
 * @example
 * import { NearestNeighbours } from '@pb-oel/core/learners'
 * const learner = new NearestNeighbours({ channels: 1, levels: 3 })
 * for (let i = 0; i < 5; i++) learner.learn(Float64Array.of(i), 2)
 * const out = new Float64Array(3)
 * learner.predict(Float64Array.of(0), out)
 * out // [0, 0, 1]
 */
export class NearestNeighbours implements Learner {
  private readonly channels: number
  private readonly neighbours: number
  private readonly window: number
  private readonly optimistic: boolean
  private readonly adwin: Adwin
  // A ring of rows: the oldest at `start`, `size` of them.
  private readonly samples: Float64Array
  private readonly sampleLevels: Uint8Array
  /** The rows as they came, where `samples` are in deviations, and what they were multiplied by. */
  private readonly raw: Float64Array
  private readonly scale: Float64Array
  private readonly scaler: RobustScaler | undefined
  private readonly rejections: RejectionMemory | undefined
  private start = 0
  private size = 0
  // Nearest first.
  private readonly distances: Float64Array
  private readonly nearest: Uint8Array
  // The latest question and its answer; not part of the state.
  private readonly question: Float64Array
  private readonly query: Float64Array
  private readonly answer: Float64Array
  private learned = 0
  private answered = false

  constructor(options: NearestNeighboursOptions) {
    const settings = readOptions(NEAREST_NEIGHBOURS_OPTIONS, options)
    const { levels, delta, compat } = settings
    this.channels = settings.channels
    this.neighbours = settings.neighbours
    this.window = integerIn('window', settings.window, this.neighbours, 1_000_000)
    this.optimistic = compat === 'skm'
    this.adwin = new Adwin({ delta, compat })
    this.samples = new Float64Array(this.window * this.channels)
    this.sampleLevels = new Uint8Array(this.window)
    this.scaler = settings.scaling === 'robust' ? new RobustScaler(this.channels, 'relative') : undefined
    this.raw = this.scaler ? new Float64Array(this.samples.length) : this.samples
    this.scale = new Float64Array(this.channels).fill(1)
    const { rejections } = settings
    this.rejections = rejections > 0 ? new RejectionMemory(this.channels, rejections) : undefined
    this.distances = new Float64Array(this.neighbours)
    this.nearest = new Uint8Array(this.neighbours)
    this.question = new Float64Array(this.channels)
    this.query = new Float64Array(this.channels)
    this.answer = new Float64Array(levels)
  }

  /** Number of samples kept now. */
  get stored(): number {
    return this.size
  }

  predict(x: Float64Array, out: Float64Array): void {
    this.ask(x)
    out.set(this.answer)
  }

  learn(x: Float64Array, level: number, weight = 1): void {
    const copies = Math.round(weight)
    if (copies === 0) return
    const error = this.optimistic ? 0 : this.mistaken(x, level)
    for (let i = 0; i < copies; i++) {
      this.store(x, level)
      const cut = this.adwin.update(this.optimistic ? this.mistaken(x, level) : error) === 'drift'
      if (cut && this.size >= this.neighbours && this.size > this.adwin.width) {
        this.start = (this.start + this.size - this.adwin.width) % this.window
        this.size = this.adwin.width
        this.answered = false
      }
    }
  }

  refute(x: Float64Array, level: number): void {
    this.rejections?.store(x, level, this.scale)
    this.answered = false
  }

  transfer(io: StateIo): void {
    const { channels, window, raw: samples, sampleLevels } = this
    this.adwin.transfer(io)
    this.size = io.number(this.size)
    // In the order of storing, wherever the ring begins; a loaded ring begins at 0.
    if (io.reading) this.start = 0
    this.answered = false
    const end = Math.min(this.start + this.size, window)
    const rest = this.start + this.size - end
    io.fill(samples.subarray(this.start * channels, end * channels))
    io.fill(samples.subarray(0, rest * channels))
    io.fill(sampleLevels.subarray(this.start, end))
    io.fill(sampleLevels.subarray(0, rest))
    this.rejections?.transfer(io)
    if (this.scaler) {
      this.learned = io.number(this.learned)
      io.fill(this.scale)
      this.scaler.transfer(io)
    }
    if (io.reading) this.measureAll()
  }

  /** 1 when the answer for `x` is not `level`, 0 when it is or when there are too few samples for an answer. */
  private mistaken(x: Float64Array, level: number): number {
    if (this.size < this.neighbours) return 0
    this.ask(x)
    return argmax(this.answer) === level ? 0 : 1
  }

  private store(x: Float64Array, level: number): void {
    const row = (this.start + this.size) % this.window
    this.raw.set(x, row * this.channels)
    this.sampleLevels[row] = level
    if (this.scaler) this.measure(this.scaler, x, row)
    if (this.size < this.window) this.size++
    else this.start = (this.start + 1) % this.window
    this.answered = false
  }

  /**
   * Brings a new row to deviations. The deviations are taken anew whenever the number of samples has doubled, and once
   * per half window; then all rows are measured anew.
   */
  private measure(scaler: RobustScaler, x: Float64Array, row: number): void {
    const { learned, window, scale } = this
    scaler.feed(x)
    this.learned++
    if ((learned & (learned + 1)) === 0 || this.learned % (window >> 1 || 1) === 0) {
      scaler.copyScale(scale)
      this.measureAll()
    } else this.measureRow(row)
  }

  private measureAll(): void {
    this.rejections?.measure(this.scale)
    if (this.scaler) for (let row = 0; row < this.window; row++) this.measureRow(row)
  }

  private measureRow(row: number): void {
    const { raw, samples, scale, channels } = this
    for (let i = 0, at = row * channels; i < channels; i++, at++) samples[at] = raw[at] * scale[i]
  }

  /** Makes `answer` the answer for `x`. */
  private ask(x: Float64Array): void {
    const { question, answer, neighbours, nearest } = this
    if (this.answered && same(x, question)) return
    question.set(x)
    this.answered = true
    if (this.size < neighbours) {
      answer.fill(1 / answer.length)
      return
    }
    const query = this.scaled(x)
    this.search(query)
    answer.fill(0)
    for (let i = 0; i < neighbours; i++) answer[nearest[i]]++
    this.rejections?.vote(query, this.distances[neighbours - 1], answer)
    toShares(answer)
  }

  private scaled(x: Float64Array): Float64Array {
    if (!this.scaler) return x
    const { query, scale } = this
    for (let i = 0; i < query.length; i++) query[i] = x[i] * scale[i]
    return query
  }

  private search(x: Float64Array): void {
    this.distances.fill(Infinity)
    const end = this.start + this.size
    // From the newest to the oldest: on a stream the near ones come first, and the others are left early.
    this.scan(x, 0, end - this.window)
    this.scan(x, this.start, Math.min(end, this.window))
  }

  /** Searches the rows `from` … `to` − 1, last first. */
  private scan(x: Float64Array, from: number, to: number): void {
    const { channels, samples, distances, nearest, sampleLevels } = this
    const last = distances.length - 1
    const blocks = channels - (channels % 4)
    let furthest = distances[last]
    for (let row = to - 1; row >= from; row--) {
      const at = row * channels
      let distance = 0
      let i = 0
      for (; i < blocks && distance <= furthest; i += 4) {
        const a = x[i] - samples[at + i]
        const b = x[i + 1] - samples[at + i + 1]
        const c = x[i + 2] - samples[at + i + 2]
        const d = x[i + 3] - samples[at + i + 3]
        distance += a * a + b * b + (c * c + d * d)
      }
      for (; i < channels && distance <= furthest; i++) {
        const a = x[i] - samples[at + i]
        distance += a * a
      }
      if (distance > furthest) continue
      // Before its equals, which are newer.
      let place = last
      for (; place > 0 && distances[place - 1] >= distance; place--) {
        distances[place] = distances[place - 1]
        nearest[place] = nearest[place - 1]
      }
      distances[place] = distance
      nearest[place] = sampleLevels[row]
      furthest = distances[last]
    }
  }
}

/** The entry of {@link NearestNeighbours}. */
export const NEAREST_NEIGHBOURS: LearnerEntry = defineLearner({
  name: 'nearest-neighbours',
  title: 'nearest neighbours',
  summary: 'the levels of the nearest among the latest samples',
  options: NEAREST_NEIGHBOURS_OPTIONS,
  create: (shape, options) => new NearestNeighbours({ ...options, ...shape }),
})

/** Makes votes shares. Where no level has a vote left, those that have lost no more than they had are alike. */
function toShares(votes: Float64Array): void {
  let sum = 0
  for (let i = 0; i < votes.length; i++) if (votes[i] > 0) sum += votes[i]
  if (sum === 0) {
    for (let i = 0; i < votes.length; i++) if (votes[i] === 0) sum += votes[i] = 1
  }
  for (let i = 0; i < votes.length; i++) votes[i] = sum === 0 ? 1 / votes.length : votes[i] > 0 ? votes[i] / sum : 0
}

function same(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
