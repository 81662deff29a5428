import type { TableOptions } from '../streams/table-options.ts'
import type { People } from './people.ts'

/** A stream of a job: its address and how it is opened. */
export interface StreamChoice extends TableOptions {
  /** What `openStream` takes. */
  address: string
  /** Length of a generated stream, or how many samples of a file are read. */
  samples?: number
  /** Seed of a generator whose address names none. Default: the generator's. */
  seed?: number
}

/**
 * One run of one method over one stream: everything its result depends on, apart from the code. It is plain JSON, so
 * that it can go to a worker thread, to another machine and into a key.
 */
export interface Job {
  stream: StreamChoice
  /** Name of a method, or path of a module whose default export is one. */
  method: string
  /** Options of the method. The method's defaults hold for the others. */
  options?: Readonly<Record<string, unknown>>
  /** Share of full labels ρ, 0 … 1. */
  rho: number
  /** Seed of the method and of the simulated reviewers. */
  seed: number
  /** How reviewers answer. Default: as in the paper, at once, always and rightly. */
  people?: People
}
