import { Random } from '../math/random.ts'
import { option } from '../options/option.ts'
import { type OptionsOf, readOptions } from '../options/option-table.ts'
import { SEED } from '../options/task-options.ts'
import { channelIndex, DIVE_CHANNELS } from './dive-channels.ts'
import { Curve, DIVE_CURVES } from './dive-curves.ts'
import { DIVE_LEVELS, DIVE_ROWS, DIVE_SEGMENTS, EXCERPT, LabelNoise, segmentStarts } from './dive-levels.ts'
import { DiveMotion, Wander } from './dive-motion.ts'
import { noiseDeviations } from './dive-noise.ts'
import { defineStream, type Sample, type Stream, type StreamEntry } from './stream.ts'

/** The options of {@link dive}. */
export const DIVE_OPTIONS = {
  seed: SEED,
  samples: option.integer({
    from: 1,
    to: 2 ** 40,
    default: DIVE_ROWS,
    about: 'Number of samples the dive is told in; the segments stretch with it.',
  }),
  labelNoise: option.number({
    from: 0,
    to: 0.5,
    default: 96 / DIVE_ROWS,
    about: 'Share of samples with a wrong label; the default is that of the recording.',
  }),
  sharpness: option.number({
    from: 0,
    to: 100,
    default: 1,
    about:
      'How strongly the levels show in the noise of the instruments: 1 is as recorded, and towards 0 levels I, II ' +
      'and III of the later dive become indistinguishable.',
  }),
}

/** Options of {@link dive}, as {@link DIVE_OPTIONS} declares them. */
export type DiveOptions = OptionsOf<typeof DIVE_OPTIONS>

/**
 * A simulated dive of the crewed submersible Jiaolong: 24 channels, three safety levels, drift of several kinds.
 *
 * It has the shape of Jiaolong_DSMS_V2.csv (dive 151, 19 March 2017), the data of the paper: the same order of levels,
 * curves of depth, water and cabin, manoeuvres, noise per level and rate of wrong labels, but none of its rows. Levels
 * hold for thousands of samples, so predicting the last true label is right 99.3 % of the time; and no single rule
 * separates them for the whole dive ({@link DIVE_SEGMENTS}).
 *
 * Streaming: constant memory, same bits on every engine for the same options.
 *
 * @example
 * import { dive } from '@pb-oel/core/streams'
 * const counts = [0, 0, 0]
 * for (const { level } of dive({ labelNoise: 0 })) counts[level]++
 * counts // [10509, 10996, 8495]
 */
export function dive(options: DiveOptions = {}): Stream {
  const { seed, samples, labelNoise, sharpness } = readOptions(DIVE_OPTIONS, options)
  return {
    name: 'dive',
    channels: DIVE_CHANNELS,
    levels: DIVE_LEVELS,
    samples,
    [Symbol.iterator]: () => new DiveIterator(seed, samples, labelNoise, sharpness),
  }
}

/** The entry of {@link dive}. */
export const DIVE: StreamEntry = defineStream({
  name: 'dive',
  summary: 'a simulated dive of a manned submersible: 24 channels, 3 levels, concept drift (30,000 samples)',
  options: DIVE_OPTIONS,
  create: dive,
})

const ROLL = channelIndex('roll_angle')
const PITCH = channelIndex('pitch_angle')
const YAW = channelIndex('yaw_angle')
const SALINITY = channelIndex('salinity')
const TEMPERATURE = channelIndex('temperature')
const DEPTH = channelIndex('depth')
const VELOCITY = channelIndex('velocity')
const THRUST_X = channelIndex('thrust_x')
const THRUST_Y = channelIndex('thrust_y')
const THRUST_Z = channelIndex('thrust_z')
const MOMENT_Y = channelIndex('moment_y')
const MOMENT_Z = channelIndex('moment_z')
const OXYGEN = channelIndex('oxygen')
const CABIN_TEMPERATURE = channelIndex('cabin_temperature')
const CABIN_HUMIDITY = channelIndex('cabin_humidity')
const BACKUP_2 = channelIndex('backup_2')
const BACKUP_3 = channelIndex('backup_3')

/** Rows until which everything but the cabin is switched off. */
const START = 30

class DiveIterator implements Iterator<Sample> {
  private readonly samples: number
  private readonly starts: readonly number[]
  private readonly deviations: readonly Float64Array[]
  private readonly curves: readonly Curve[]
  private readonly noise: Random
  private readonly motion: DiveMotion
  private readonly air: Random
  private readonly oxygen = new Wander(20)
  private readonly warmth = new Wander(40)
  private readonly labels: LabelNoise
  private humidityStep = 0
  private index = 0
  private segment = 0
  private readonly sample = { x: new Float64Array(DIVE_CHANNELS.length), level: 0 }
  private readonly result: IteratorYieldResult<Sample> = { value: this.sample, done: false }

  constructor(seed: number, samples: number, labelNoise: number, sharpness: number) {
    this.samples = samples
    this.starts = segmentStarts(samples)
    this.deviations = DIVE_SEGMENTS.map(({ noise }) => noiseDeviations(noise, sharpness))
    this.curves = DIVE_CHANNELS.map((channel) => new Curve(DIVE_CURVES[channel] ?? [0, 0]))
    this.noise = new Random(seed, 'dive noise')
    this.motion = new DiveMotion(new Random(seed, 'dive motion'))
    this.air = new Random(seed, 'dive air')
    this.labels = new LabelNoise(new Random(seed, 'dive labels'), labelNoise)
  }

  next(): IteratorResult<Sample> {
    const { index, samples, starts } = this
    if (index === samples) return { value: undefined, done: true }
    this.index++
    while (index >= starts[this.segment + 1]) this.segment++
    let row = (index * DIVE_ROWS) / samples
    if (row >= EXCERPT.from && this.segment <= EXCERPT.lastSegment) row += EXCERPT.shift
    this.show(row)
    const { level } = DIVE_SEGMENTS[this.segment]
    const label = this.labels.label(level)
    // Each level is first seen with a true label: a warm-up on first occurrences must not rest on a wrong one.
    this.sample.level = this.segment <= EXCERPT.lastSegment ? level : label
    return this.result
  }

  /** Writes what the sensors show at `row` into the sample. */
  private show(row: number): void {
    const { curves, noise, motion, air } = this
    const { x } = this.sample
    const deviations = this.deviations[this.segment]
    for (let c = 0; c < x.length; c++) x[c] = curves[c].at(row) + deviations[c] * noise.normal()
    motion.step(row)
    if (air.uniform() < 0.17) this.humidityStep = 0.25 * (air.integer(3) - 1)
    const oxygen = 0.045 * this.oxygen.step(air)
    const warmth = 0.05 * this.warmth.step(air)
    if (row < START) return
    x[ROLL] += motion.roll
    x[PITCH] += motion.pitch
    x[YAW] += motion.yaw
    x[YAW] -= 360 * Math.floor(x[YAW] / 360)
    x[SALINITY] += motion.splash
    x[TEMPERATURE] += motion.warm
    x[DEPTH] += motion.heave
    // Sound is faster in salty and in warm water.
    x[VELOCITY] += 6.2 * motion.splash + 4.2 * motion.warm
    x[THRUST_X] += motion.thrustX
    x[THRUST_Y] += motion.thrustY
    x[THRUST_Z] += motion.thrustZ
    x[MOMENT_Y] += motion.momentY
    x[MOMENT_Z] += motion.momentZ
    x[OXYGEN] += oxygen
    x[CABIN_TEMPERATURE] += warmth
    x[CABIN_HUMIDITY] += this.humidityStep
    x[BACKUP_2] += motion.backup2
    x[BACKUP_3] += motion.backup3
  }
}
