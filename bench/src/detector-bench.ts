import { Random } from '@pb-oel/core'
import { Adwin, Ddm, type DriftDetector, Eddm, HddmA, HddmW, Kswin, PageHinkley } from '@pb-oel/core/drift'
import type { Benchmark, Result } from './benchmark.ts'
import { interleave, spread, timeResults } from './measure.ts'

/** The detectors with their defaults, but for what a stream of 0 and 1 asks for. */
const DETECTORS: Record<string, () => DriftDetector> = {
  'hddm-a': () => new HddmA(),
  'hddm-w': () => new HddmW(),
  adwin: () => new Adwin({ sides: 'increase' }),
  'adwin clock=1': () => new Adwin({ sides: 'increase', clock: 1 }),
  ddm: () => new Ddm(),
  eddm: () => new Eddm(),
  'page-hinkley': () => new PageHinkley({ threshold: 10 }),
  kswin: () => new Kswin(),
}

/** Error rate before and after a change. */
const BEFORE = 0.1
const AFTER = 0.5
/** Values before a change, of a gradual change, and until a change counts as missed. */
const LEAD = 1000
const SLIDE = 1000
const PATIENCE = 3000
const STREAMS = 20

/** False alarms and delays of a detector, over {@link STREAMS} streams of errors. */
export interface DetectorRow {
  readonly detector: string
  /** Drifts signalled in 10,000 values with an error rate of 0.1 throughout, mean. */
  readonly falseAlarmsPer10k: number
  /** Values from a jump of the error rate from 0.1 to 0.5 to the next drift signalled, median. */
  readonly delayAbrupt: number
  /** The same from the beginning of a slide from 0.1 to 0.5 over 1000 values. */
  readonly delayGradual: number
  /** Share of the changes of both kinds not seen within 3000 values. */
  readonly missed: number
}

/** False alarms and delays of every detector; deterministic. */
export function detectorTable(): DetectorRow[] {
  return Object.keys(DETECTORS).map((detector) => {
    const { alarms, abrupt, gradual } = measure(detector)
    const delays = [...abrupt, ...gradual]
    return {
      detector,
      falseAlarmsPer10k: alarms.reduce((a, b) => a + b) / STREAMS,
      delayAbrupt: spread(abrupt).median,
      delayGradual: spread(gradual).median,
      missed: delays.filter((delay) => delay === PATIENCE).length / delays.length,
    }
  })
}

/** False alarms and delays of the drift detectors, and what a value costs. */
export const detectorBench: Benchmark = {
  name: 'detectors',
  summary: 'drift detectors: false alarms, delays and 1000 values',
  run({ seconds }) {
    const quality = Object.keys(DETECTORS).flatMap((name): Result[] => {
      const { alarms, abrupt, gradual } = measure(name)
      const result = (what: string, values: readonly number[], unit: string): Result => ({
        benchmark: 'detectors',
        variant: `${name}, ${what}`,
        ...spread(values),
        unit,
      })
      return [
        result('false alarms', alarms, 'in 10,000'),
        result('abrupt change', abrupt, 'values late'),
        result('gradual change', gradual, 'values late'),
      ]
    })
    const values = stationary(new Random(1, 'speed'), 1000)
    const variants = Object.entries(DETECTORS).map(([name, make]) => {
      const detector = make()
      const run = () => {
        for (let i = 0; i < values.length; i++) detector.update(values[i])
      }
      return { name, run }
    })
    return [...quality, ...timeResults('detectors', interleave(variants, seconds), '1000 values, ')]
  },
}

interface Quality {
  readonly alarms: number[]
  readonly abrupt: number[]
  readonly gradual: number[]
}

/** Everything found for one detector, stream by stream. */
function measure(name: string): Quality {
  const quality: Quality = { alarms: [], abrupt: [], gradual: [] }
  for (let stream = 0; stream < STREAMS; stream++) {
    const calm = DETECTORS[name]()
    let alarms = 0
    for (const value of stationary(new Random(stream, 'calm'), 10_000)) if (calm.update(value) === 'drift') alarms++
    quality.alarms.push(alarms)
    quality.abrupt.push(delay(DETECTORS[name](), new Random(stream, 'abrupt'), 0))
    quality.gradual.push(delay(DETECTORS[name](), new Random(stream, 'gradual'), SLIDE))
  }
  return quality
}

function stationary(random: Random, count: number): Float64Array {
  return Float64Array.from({ length: count }, () => (random.uniform() < BEFORE ? 1 : 0))
}

/** Values from the beginning of a change, which takes `slide` values, to drift. */
function delay(detector: DriftDetector, random: Random, slide: number): number {
  for (const value of stationary(random, LEAD)) detector.update(value)
  for (let i = 1; i < PATIENCE; i++) {
    const rate = i < slide ? BEFORE + ((AFTER - BEFORE) * i) / slide : AFTER
    if (detector.update(random.uniform() < rate ? 1 : 0) === 'drift') return i
  }
  return PATIENCE
}
