/** What a person has chosen. It fits into the address of the page, so that a link shows the same run. */
export interface Settings {
  /** Address of a generator, as the command line takes it: `dive:seed=3,samples=60000`. Unused with a file. */
  stream: string
  /** How a dropped file is read. Its rows never leave the browser. */
  file?: FileColumns
  /** One method, or two to compare. */
  methods: readonly MethodChoice[]
  /** Seed of the methods and of the simulated reviewer. */
  seed: number
  reviewer: Reviewer
}

/** A method with the options that differ from its defaults. */
export interface MethodChoice {
  name: string
  options: Readonly<Record<string, unknown>>
}

/** Which column of a file means what. */
export interface FileColumns {
  /** Name of the file. */
  name: string
  /** Column of the level. */
  level: string
  /** Columns that are left out. */
  dropped: readonly string[]
  /** How a missing value is filled. */
  missing: MissingRule
}

/** `last` repeats the channel's last value, `mean` takes the mean so far, `error` refuses the file. */
export type MissingRule = 'last' | 'mean' | 'error'

/** Who answers, and how. */
export interface Reviewer {
  /** The simulated reviewer answers every sample; `me` is asked about every n-th. */
  by: 'simulated' | 'me'
  /** Share of full labels ρ, 0 … 1. */
  rho: number
  /** Mean delay of an answer in samples. */
  delay: number
  law: DelayLaw
  /** Share of questions that nobody answers. */
  missing: number
  /** Share of wrong answers. */
  wrong: number
  /** Samples between two questions to `me`. */
  every: number
  /** Whether the simulated reviewer answers what `me` is not asked about. */
  others: boolean
}

export type DelayLaw = 'fixed' | 'uniform' | 'exponential' | 'heavy'
export const DELAY_LAWS: readonly DelayLaw[] = ['fixed', 'uniform', 'exponential', 'heavy']

/** The first thing a visitor sees: the paper's method on the simulated dive, 5 % labels. */
export const DEFAULTS: Settings = {
  stream: 'dive',
  methods: [{ name: 'pb-oel', options: {} }],
  seed: 1,
  reviewer: { by: 'simulated', rho: 0.05, delay: 0, law: 'fixed', missing: 0, wrong: 0, every: 50, others: true },
}
