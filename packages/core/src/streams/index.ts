/**
 * Generated streams, and drift made from two of them.
 *
 * @packageDocumentation
 */

export { CHECKERBOARD_OPTIONS, checkerboard } from './checkerboard.ts'
export { DIVE_OPTIONS, dive } from './dive.ts'
export {
  ABRUPT_DRIFT_OPTIONS,
  abruptDrift,
  GRADUAL_DRIFT_OPTIONS,
  gradualDrift,
  RECURRING_DRIFT_OPTIONS,
  recurringDrift,
} from './drift.ts'
export { GENERATOR_OPTIONS, generatedStream } from './generated-stream.ts'
export { GENERATORS } from './generators.ts'
export { HYPERPLANE_OPTIONS, hyperplane } from './hyperplane.ts'
export { LED_OPTIONS, led } from './led.ts'
export { PLANT_OPTIONS, plant } from './plant.ts'
export { SEA_OPTIONS, sea } from './sea.ts'
export { defineStream } from './stream.ts'
export { WAVEFORM_OPTIONS, waveform } from './waveform.ts'

// Types

export type { CheckerboardOptions } from './checkerboard.ts'
export type { DiveOptions } from './dive.ts'
export type { AbruptDriftOptions, GradualDriftOptions, RecurringDriftOptions } from './drift.ts'
export type { Draw, GeneratorOptions } from './generated-stream.ts'
export type { HyperplaneOptions } from './hyperplane.ts'
export type { LedOptions } from './led.ts'
export type { PlantOptions } from './plant.ts'
export type { SeaOptions } from './sea.ts'
export type { Sample, Stream, StreamEntry } from './stream.ts'
export type { WaveformOptions } from './waveform.ts'
