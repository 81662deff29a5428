import type { People } from '../run.ts'
import type { MissingRule } from '../streams/table-stream.ts'

/** A stream of an experiment: an address, or an address and how it is opened. */
export interface StreamChoice {
  /** What `openStream` takes. */
  address: string
  /** Name in reports. Default: the address, for files their name. */
  name?: string
  samples?: number
  label?: string
  missing?: MissingRule
}

/** A method of an experiment: a name or a module, and its options. */
export interface MethodChoice {
  /**
   * Name of a method that ships with the product, or path of a module whose default export is a `Method` or a function
   * `(task, options) => Assessor`.
   */
  method: string
  options?: Record<string, unknown>
  /** Name in reports. Default: the method and its options. */
  label?: string
}

/** What a report shows of an experiment. */
export type Section = 'table' | 'curves' | 'landscape' | 'bounds'

/**
 * Streams × methods × options × ρ × seeds. As a file: JSON, or a module with the experiment as default export. Every
 * built-in command is one of these.
 */
export interface Experiment {
  /** Headline of the report. */
  title?: string
  streams: readonly (string | StreamChoice)[]
  methods: readonly (string | MethodChoice)[]
  /** Values to try for options of the methods; every combination is run. */
  options?: Readonly<Record<string, readonly unknown[]>>
  /** Shares of full labels. */
  rho: readonly number[]
  /** Runs of each combination, with seeds `seed`, `seed` + 1, … Default 3. */
  repeats?: number
  /** First seed. Default 1. */
  seed?: number
  /** How people answer, which samples they are asked about, what mistakes cost. Default: as in the paper. */
  people?: People
  /** Default: `table` and `curves`, and `bounds` where a method has one. */
  show?: readonly Section[]
}

/** Several experiments that make one report; what they share is run once. */
export interface ExperimentSet {
  title: string
  parts: readonly Experiment[]
}

/** One run: everything its result depends on, apart from the code. */
export interface Job {
  stream: StreamChoice
  method: string
  options: Record<string, unknown>
  rho: number
  seed: number
  people?: People
}

/** A job and where it belongs in the report. */
export interface PlannedJob extends Job {
  /** Name of the stream and of the method with its options. */
  streamName: string
  label: string
  /** The combination of `options` of the experiment this job tries. */
  variant: Record<string, unknown>
}

/** The jobs of an experiment. Methods change fastest, so that a run stopped half way still compares like with like. */
export function plan(experiment: Experiment): PlannedJob[] {
  const jobs: PlannedJob[] = []
  const { repeats = 3, seed: firstSeed = 1 } = experiment
  const people = experiment.people && { people: experiment.people }
  const variants = combinations(experiment.options ?? {})
  for (const streamChoice of experiment.streams) {
    const { name, ...stream } =
      typeof streamChoice === 'string' ? ({ address: streamChoice } as StreamChoice) : streamChoice
    const streamName = name ?? streamLabel(stream.address)
    for (const rho of experiment.rho) {
      for (let seed = firstSeed; seed < firstSeed + repeats; seed++) {
        for (const variant of variants) {
          for (const choice of experiment.methods.map(asChoice)) {
            const options = { ...choice.options, ...variant }
            const label = [choice.label ?? methodLabel(choice), ...describe(variant)].join(' ')
            jobs.push({ stream, method: choice.method, options, rho, seed, ...people, streamName, label, variant })
          }
        }
      }
    }
  }
  return jobs
}

function asChoice(choice: string | MethodChoice): MethodChoice {
  return typeof choice === 'string' ? { method: choice } : choice
}

function methodLabel({ method, options = {} }: MethodChoice): string {
  const name = isModule(method) ? fileName(method).replace(/\.\w+$/, '') : method
  return [name, ...describe(options)].join(' ')
}

function describe(options: Record<string, unknown>): string[] {
  return Object.entries(options).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
}

/** How a stream is called in reports: a file by its name, everything else by its address. */
export function streamLabel(address: string): string {
  return /\.(csv|arff|ndjson|jsonl|parquet)(\.gz)?$/i.test(address) && !address.includes('+')
    ? fileName(address).replace(/\.(csv|arff|ndjson|jsonl|parquet)(\.gz)?$/i, '')
    : address
}

const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path

/** Whether a method is given as the path of a module. */
export function isModule(method: string): boolean {
  return /[\\/]|\.(ts|js|mjs)$/.test(method)
}

function combinations(options: Readonly<Record<string, readonly unknown[]>>): Record<string, unknown>[] {
  return Object.entries(options).reduce<Record<string, unknown>[]>(
    (all, [name, values]) => all.flatMap((variant) => values.map((value) => ({ ...variant, [name]: value }))),
    [{}],
  )
}
