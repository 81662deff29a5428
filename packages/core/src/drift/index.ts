/**
 * Drift detectors.
 *
 * @packageDocumentation
 */

export { ADWIN_OPTIONS, Adwin } from './adwin.ts'
export { DDM_OPTIONS, Ddm } from './ddm.ts'
export { defineDetector } from './detector.ts'
export { DETECTORS, findDetector } from './detectors.ts'
export { EDDM_OPTIONS, Eddm } from './eddm.ts'
export { HDDM_A_OPTIONS, HddmA } from './hddm-a.ts'
export { HDDM_W_OPTIONS, HddmW } from './hddm-w.ts'
export { KSWIN_OPTIONS, Kswin } from './kswin.ts'
export { PAGE_HINKLEY_OPTIONS, PageHinkley } from './page-hinkley.ts'

// Types

export type { AdwinBucket, AdwinOptions } from './adwin.ts'
export type { DdmOptions } from './ddm.ts'
export type { DetectorEntry, DriftDetector, DriftSignal } from './detector.ts'
export type { EddmOptions } from './eddm.ts'
export type { HddmAOptions } from './hddm-a.ts'
export type { HddmWOptions } from './hddm-w.ts'
export type { KswinOptions } from './kswin.ts'
export type { PageHinkleyOptions } from './page-hinkley.ts'
