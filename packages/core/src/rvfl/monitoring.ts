import type { DriftDetector } from '../drift/detector.ts'
import { HDDM_A } from '../drift/hddm-a.ts'
import { chooseDetector, KNOWN_DETECTORS } from '../drift/known-detectors.ts'
import { OptionError } from '../errors.ts'
import type { Extensions } from '../method.ts'
import { readOptions } from '../options/option-table.ts'

/**
 * The detector that watches each network: its name, or its `kind` and its own options, such as
 * `{ kind: 'adwin', delta: 0.01 }`.
 */
export type DetectorChoice = string | { readonly kind: string; readonly [option: string]: unknown }

/** Whether a value can be a {@link DetectorChoice}; whether there is such a detector is seen later. */
export function isDetectorChoice(value: unknown): value is DetectorChoice {
  return typeof value === 'string' || typeof (value as { kind?: unknown }).kind === 'string'
}

/** How a network is watched. */
export interface Monitoring {
  /** Whether the detector is fed 0 and 1, not confidences. */
  readonly binary: boolean
  create(): DriftDetector
}

/**
 * Says how networks are watched, or that they are not.
 *
 * @param drift significance of HDDM_A, `false` for no detector
 * @param detector any other detector
 */
export function monitoring(
  drift: number | false | undefined,
  detector: DetectorChoice | undefined,
  extensions: Extensions | undefined,
): Monitoring | undefined {
  if (drift === false) return undefined
  if (detector === undefined) return { binary: false, create: () => HDDM_A.create({ drift: drift ?? 0.001 }) }
  if (drift !== undefined) {
    throw new OptionError('drift', drift, 'left out where detector is given: the significance is an option of that')
  }
  const { kind, ...options } = typeof detector === 'string' ? { kind: detector } : detector
  const entry = chooseDetector(KNOWN_DETECTORS, kind, extensions?.detectors)
  readOptions(entry.options, options, 'detector.')
  return { binary: entry.binary === true, create: () => entry.create(options) }
}
