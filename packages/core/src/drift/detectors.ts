import { OptionError } from '../errors.ts'
import { ADWIN } from './adwin.ts'
import { DDM } from './ddm.ts'
import type { DetectorEntry } from './detector.ts'
import { EDDM } from './eddm.ts'
import { HDDM_A } from './hddm-a.ts'
import { HDDM_W } from './hddm-w.ts'
import { KSWIN } from './kswin.ts'
import { PAGE_HINKLEY } from './page-hinkley.ts'

/** Every detector, the one of the paper first. */
export const DETECTORS: readonly DetectorEntry[] = [HDDM_A, HDDM_W, ADWIN, DDM, EDDM, PAGE_HINKLEY, KSWIN]

/**
 * The entry of a detector; an {@link OptionError} lists the names when there is none.
 *
 * @param extensions detectors from outside, by the name they go by
 */
export function findDetector(name: unknown, extensions: Readonly<Record<string, DetectorEntry>> = {}): DetectorEntry {
  if (typeof name === 'string' && Object.hasOwn(extensions, name)) return extensions[name]
  const entry = DETECTORS.find((entry) => entry.name === name)
  if (entry) return entry
  const names = DETECTORS.map((entry) => entry.name).join(', ')
  throw new OptionError('detector', name, `one of ${names}, or a detector among the given extensions`)
}
