import { Catalogue } from '../catalogue.ts'
import { OptionError } from '../errors.ts'
import type { DetectorEntry } from './detector.ts'
import { HDDM_A } from './hddm-a.ts'

/** The detectors that options may name: that of the paper, and all others where `methods.ts` is loaded. */
export const KNOWN_DETECTORS: Catalogue<DetectorEntry> = new Catalogue<DetectorEntry>(HDDM_A)

/**
 * The entry of a detector in `known`; an {@link OptionError} lists the names when there is none.
 *
 * @param extensions detectors from outside, by the name they go by
 */
export function chooseDetector(
  known: Catalogue<DetectorEntry>,
  name: unknown,
  extensions: Readonly<Record<string, DetectorEntry>> = {},
): DetectorEntry {
  const entry = known.find(name, extensions)
  if (entry) return entry
  throw new OptionError('detector', name, `one of ${known.names.join(', ')}, or a detector among the given extensions`)
}
