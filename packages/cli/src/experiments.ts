import { OptionError } from '@pb-oel/core'
import {
  type ExperimentResult,
  type ExperimentSet,
  type ExperimentStream,
  type PromiseStudy,
  type PromiseStudyOptions,
  runExperiments,
  spooledInput,
  studyPromises,
} from '@pb-oel/lab'
import { OUTPUT_VERSION } from '@pb-oel/protocol'
import { type Command, Option } from 'commander'
import { integer, type StreamWords, streamOptions, streamWords } from './arguments.ts'
import { onInterrupt } from './interrupt.ts'
import { duration, Progress } from './progress.ts'
import { counted } from './text-table.ts'

/** Options of every command that runs an experiment. */
export interface ExperimentOptions {
  out?: string
  workers?: number
  store?: string
  nats?: string
  json?: boolean
}

/** Options of every command that runs one on streams of the user's choice. */
export interface StreamExperimentOptions extends ExperimentOptions, StreamWords {
  repeats: number
  seed: number
}

/** Adds the options of every command that runs an experiment. */
export function withExperimentOptions(command: Command): Command {
  return command
    .option('--out <folder>', 'write a report there: HTML, figures, tables, raw results')
    .option(
      '--workers <n>',
      'worker threads (default: one per core); the results do not depend on it',
      integer(0, 1024),
    )
    .option(
      '--nats <urls>',
      'share the runs with every `pb-oel work` on the same NATS servers: nats://a:4222,nats://b:4222',
    )
    .option(
      '--store <folder>',
      'where finished runs are kept, so that none is computed twice (default: the cache folder)',
    )
    .option('--json', 'print one JSON document on stdout')
}

/** Adds the options of every command that runs an experiment on streams given on the command line. */
export function withStreamOptions(command: Command, repeats: number): Command {
  withExperimentOptions(command)
    .addOption(
      new Option('--repeats <n>', 'runs of each combination, each with its own seed')
        .argParser(integer(1, 10_000))
        .default(repeats),
    )
    .addOption(
      new Option('--seed <n>', 'first seed; repeats count up from it').argParser(integer(0, 2 ** 52)).default(1),
    )
  for (const option of streamOptions()) command.addOption(option)
  return command
}

/** Addresses from the command line as streams of an experiment. */
export function streamChoices(addresses: readonly string[], options: StreamWords): ExperimentStream[] {
  const how = streamWords(options)
  return addresses.map((address) => {
    // Threads cannot share standard input, but they can read its copy.
    if (address === '-') return { ...how, address: spooledInput(), name: 'standard input' }
    return { ...how, address }
  })
}

/** Says what a user should know about a stream, beside the progress line. */
export function warn(warning: string): void {
  process.stderr.write(`warning: ${warning}\n`)
}

/**
 * Runs experiments with a progress line, and writes their report when `--out` asks for it.
 *
 * @param promises studies of promises that belong to the report
 */
export async function runSet(
  set: ExperimentSet,
  options: ExperimentOptions,
  promises: readonly PromiseStudyOptions[] = [],
): Promise<ExperimentResult[][]> {
  // Charts take long to load, so they are loaded only when wanted. The folder is tried before the work, not after it.
  const reports = options.out === undefined ? undefined : await import('@pb-oel/lab/report')
  if (options.out !== undefined) reports?.prepareFolder(options.out)
  if (options.workers === 0 && options.nats === undefined) {
    throw new OptionError('--workers', 0, 'at least 1, unless --nats leaves the work to others')
  }
  const progress = new Progress()
  const signal = onInterrupt()
  const start = performance.now()
  let finished = 0
  let total = 0
  try {
    const results = await runExperiments(set.parts, {
      workers: options.workers,
      store: options.store,
      nats: options.nats,
      signal,
      onWarning: warn,
      onProgress: ({ done, total: all, rate, secondsLeft, best }) => {
        finished = done
        total = all
        if (secondsLeft === undefined) return
        const note = best ? `best so far ${best.label} ${best.accuracy.toFixed(4)}` : ''
        progress.update(done, all, note, { rate, secondsLeft })
      },
    })
    progress.end()
    if (reports && options.out !== undefined) {
      const studies = await studyAll(promises, signal)
      const seconds = (performance.now() - start) / 1000
      const path = reports.writeReport(options.out, set, results, seconds, studies)
      process.stderr.write(`${path} (${counted(total, 'run')}, ${duration(seconds)})\n`)
    }
    return results
  } catch (error) {
    progress.end()
    if (signal.aborted) {
      process.stderr.write(
        `stopped with ${finished} of ${counted(total, 'run')} done; the same command goes on from there\n`,
      )
    }
    throw error
  }
}

/** Studies promises one stream after the other, with a progress line. */
async function studyAll(promises: readonly PromiseStudyOptions[], signal: AbortSignal): Promise<PromiseStudy[]> {
  const studies: PromiseStudy[] = []
  for (const options of promises) {
    const progress = new Progress()
    const onRun = (done: number, total: number, { name }: { name: string }) =>
      progress.update(done, total, `promises, ${name}`)
    studies.push(await studyPromises({ ...options, signal, onRun }).finally(() => progress.end()))
  }
  return studies
}

/** Prints the one document of `--json` with the version of its form, or the lines for people. */
export function print(json: boolean | undefined, document: unknown, lines: () => readonly string[]): void {
  const versioned = Array.isArray(document) ? document : { schemaVersion: OUTPUT_VERSION, ...(document as object) }
  process.stdout.write(json ? `${JSON.stringify(versioned)}\n` : `${lines().join('\n')}\n`)
}
