/**
 * The methods that PB-OEL is compared with, and the baselines.
 *
 * @packageDocumentation
 */

export { ARF_OPTIONS, Arf } from './arf.ts'
export { EpsilonGreedyAssessor, RIVAL_OPTIONS } from './base/epsilon-greedy.ts'
export { CPSSDS_OPTIONS, Cpssds } from './cpssds/cpssds.ts'
export { Flip } from './flip.ts'
export { Majority } from './majority.ts'
export { NoChange } from './no-change.ts'
export { OADAC2_OPTIONS, Oadac2 } from './oadac2/oadac2.ts'
export { OB_ADWIN_OPTIONS, ObAdwin } from './ob-adwin.ts'
export { ROALE_DI_OPTIONS, RoaleDi } from './roale-di/roale-di.ts'
export { RVFL_HDDM_NP_OPTIONS, RVFL_SINGLE_OPTIONS, Rvfl, RvflHddmNp } from './rvfl-single.ts'
export { SRP_OPTIONS, Srp } from './srp/srp.ts'

// Types

export type { AdaptiveTreesOptions } from '../learners/forest/adaptive-trees.ts'
export type { ArfOptions } from './arf.ts'
export type { EpsilonGreedyOptions } from './base/epsilon-greedy.ts'
export type { CpssdsOptions } from './cpssds/cpssds.ts'
export type { FlipOptions } from './flip.ts'
export type { MajorityOptions } from './majority.ts'
export type { NoChangeOptions } from './no-change.ts'
export type { Oadac2Options } from './oadac2/oadac2.ts'
export type { ObAdwinOptions } from './ob-adwin.ts'
export type { RoaleDiOptions } from './roale-di/roale-di.ts'
export type { RvflSingleOptions } from './rvfl-single.ts'
export type { SrpOptions } from './srp/srp.ts'
