import type { SystemFold } from '../fold/system-fold.ts'

/**
 * What a caller wants to know of a system: a pure function of its state. The result must not change with the state
 * afterwards, so a view copies whatever the fold changes in place.
 */
export type View<T> = (state: SystemFold) => T
