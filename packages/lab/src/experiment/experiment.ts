import { METHODS } from '@pb-oel/core'
import type { Job, StreamChoice } from '../job/job.ts'
import type { People } from '../job/people.ts'
import { isModule, mapTexts, moduleTitle } from '../modules/module-name.ts'
import { STREAM_FILE } from '../streams/stream-address.ts'

/** A stream of an experiment. */
export interface ExperimentStream extends StreamChoice {
  /** Name in reports. Default: the address, for files their name. */
  name?: string
}

/** A method of an experiment: a name or a module, and its options. */
export interface MethodChoice {
  /**
   * Name of a method that ships with the product, or path of a module whose default export is a method.
   */
  method: string
  options?: Record<string, unknown>
  /** Name in reports. Default: the method and its options. */
  label?: string
}

/** What a report shows of an experiment. */
export type Section = 'suite' | 'table' | 'curves' | 'landscape' | 'bounds'

/**
 * Streams × methods × options × ρ × seeds. As a file: JSON, or a module with the experiment as default export. Every
 * built-in command is one of these.
 */
export interface Experiment {
  /** Headline of the report. */
  title?: string
  streams: readonly (string | ExperimentStream)[]
  methods: readonly (string | MethodChoice)[]
  /** Values to try for options of the methods; every combination is run. */
  options?: Readonly<Record<string, readonly unknown[]>>
  /** Shares of full labels. */
  rho: readonly number[]
  /** Runs of each combination, with seeds `seed`, `seed` + 1, … Default 3. */
  repeats?: number
  /** First seed. Default 1. */
  seed?: number
  /** How reviewers answer, which samples they are asked about, what mistakes cost. Default: as in the paper. */
  people?: People
  /** Default: `table` and `curves`, and `bounds` where a method has one. */
  show?: readonly Section[]
}

/** Several experiments that make one report; what they share is run once. */
export interface ExperimentSet {
  title: string
  parts: readonly Experiment[]
}

/** A job and where it belongs in the report. */
export interface PlannedJob {
  job: Job
  /** Name of the stream and of the method with its options. */
  streamName: string
  label: string
  /** The combination of `options` of the experiment that this job tries. */
  variant: Readonly<Record<string, unknown>>
}

/** The jobs of an experiment. Methods change fastest, so that a run stopped half way still compares like with like. */
export function plan(experiment: Experiment): PlannedJob[] {
  const jobs: PlannedJob[] = []
  const { repeats = 3, seed: firstSeed = 1 } = experiment
  const people = experiment.people && { people: experiment.people }
  const variants = combinations(experiment.options ?? {})
  const choices = labelled(experiment.methods.map(asChoice))
  for (const streamChoice of experiment.streams) {
    const { name, ...stream }: ExperimentStream =
      typeof streamChoice === 'string' ? { address: streamChoice } : streamChoice
    const streamName = name ?? streamLabel(stream.address)
    for (const rho of experiment.rho) {
      for (let seed = firstSeed; seed < firstSeed + repeats; seed++) {
        for (const variant of variants) {
          for (const choice of choices) {
            const options = { ...choice.options, ...variant }
            const label = [choice.label, ...describe(variant)].join(' ')
            const job = { stream, method: choice.method, options, rho, seed, ...people }
            jobs.push({ job, streamName, label, variant })
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

/** Methods with their labels. A module goes by its short name, or by its path where another method has that name. */
function labelled(choices: readonly MethodChoice[]): (MethodChoice & { label: string })[] {
  const short = choices.map((choice) => choice.label ?? methodLabel(choice, moduleTitle(choice.method)))
  return choices.map((choice, i) => {
    const { method } = choice
    const taken =
      METHODS.some(({ name }) => name === moduleTitle(method)) ||
      short.indexOf(short[i]) !== short.lastIndexOf(short[i])
    const byPath = choice.label === undefined && isModule(method) && taken
    return { ...choice, label: byPath ? methodLabel(choice, method) : short[i] }
  })
}

function methodLabel({ options = {} }: MethodChoice, name: string): string {
  return [name, ...describe(options)].join(' ')
}

/** Options as text, with modules by their short names. */
function describe(options: Record<string, unknown>): string[] {
  return Object.entries(options).map(([name, given]) => {
    const value = mapTexts(given, (text) => (isModule(text) ? moduleTitle(text) : text))
    return `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`
  })
}

/** How a stream is called in reports: a file by its name, everything else by its address. */
export function streamLabel(address: string): string {
  return STREAM_FILE.test(address) && !address.includes('+') ? fileName(address).replace(STREAM_FILE, '') : address
}

const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path

function combinations(options: Readonly<Record<string, readonly unknown[]>>): Record<string, unknown>[] {
  return Object.entries(options).reduce<Record<string, unknown>[]>(
    (all, [name, values]) => all.flatMap((variant) => values.map((value) => ({ ...variant, [name]: value }))),
    [{}],
  )
}
