import { Catalogue } from '../catalogue.ts'
import { ADWIN } from './adwin.ts'
import { DDM } from './ddm.ts'
import type { DetectorEntry } from './detector.ts'
import { EDDM } from './eddm.ts'
import { HDDM_A } from './hddm-a.ts'
import { HDDM_W } from './hddm-w.ts'
import { chooseDetector } from './known-detectors.ts'
import { KSWIN } from './kswin.ts'
import { PAGE_HINKLEY } from './page-hinkley.ts'

/** Every detector, the one of the paper first. */
export const DETECTORS: readonly DetectorEntry[] = [HDDM_A, HDDM_W, ADWIN, DDM, EDDM, PAGE_HINKLEY, KSWIN]

/**
 * The entry of a detector; an `OptionError` lists the names when there is none.
 *
 * @param extensions detectors from outside, by the name they go by
 */
export function findDetector(name: unknown, extensions?: Readonly<Record<string, DetectorEntry>>): DetectorEntry {
  return chooseDetector(new Catalogue(...DETECTORS), name, extensions)
}
