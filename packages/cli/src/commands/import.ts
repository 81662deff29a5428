import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { OptionError } from '@pb-oel/core'
import {
  hashFiles,
  loadExtensions,
  modulesWithin,
  openFile,
  spooledInput,
  streamWarnings,
  type TableStream,
} from '@pb-oel/lab'
import type { History, ImportReport } from '@pb-oel/server'
import { Command } from 'commander'
import { integer, type StreamWords, setting, streamOptions, streamWords } from '../arguments.ts'
import { print, warn } from '../experiments.ts'
import { RemoteServer, type RemoteSystem } from '../import-http.ts'
import { onInterrupt } from '../interrupt.ts'
import { duration, Progress } from '../progress.ts'
import { openReader, openStore } from '../stores.ts'
import { count, counted } from '../text-table.ts'

interface Options extends StreamWords {
  system: string
  store?: string
  url?: string
  token?: string
  start?: string
  every?: number
  method?: string
  seed?: number
  set?: Record<string, unknown>
  json?: boolean
}

/** `pb-oel import`: the past of a system from a file. */
export function importCommand(): Command {
  const command = new Command('import')
    .description('take history from a file into a system: samples with their times, labels as answers')
    .argument('<file>', 'a .csv, .tsv, .arff, .ndjson or .parquet file, each also with .gz; - for standard input')
    .requiredOption('--system <name>', 'the system; it is made where there is none')
    .option('--store <file>', 'a store that no server has open (default: pb-oel.db)')
    .option('--url <address>', 'a running server, such as http://127.0.0.1:8400')
    .option('--token <token>', 'token for that server (default: the environment variable PB_OEL_TOKEN)')
    .option('--start <time>', 'time of the first row of a file without --time')
    .option('--every <seconds>', 'seconds between its rows', Number)
    .option('--method <name>', 'method of a new system (default: pb-oel-plus)')
    .option('--seed <n>', 'seed of a new system', integer(0, 2 ** 52))
    .option('--set <name=value>', 'an option of the method of a new system; may be given several times', setting)
    .option('--json', 'print one JSON document on stdout')
  for (const option of streamOptions()) if (option.long !== '--samples') command.addOption(option)
  return command.action(run).addHelpText(
    'after',
    `
Rows without a label are samples without an answer. A missing value is treated as the system treats it, unless
--missing says how it is filled in. An import that was stopped goes on where it was when the same command is given
again, and a file that is there already changes nothing. Alarms that the history raises are raised: import before a
system goes live.

Examples:
  $ pb-oel import history.csv --system pump --time stamp --levels safe,degraded,unsafe
  $ pb-oel import history.parquet --system pump --time stamp --label state --store plant.db
  $ pb-oel import old.csv.gz --system pump --start 2026-01-01T00:00:00Z --every 1 --url http://127.0.0.1:8400`,
  )
}

async function run(file: string, options: Options): Promise<void> {
  if (options.store !== undefined && options.url !== undefined) {
    throw new OptionError('--store', options.store, 'left out where there is --url')
  }
  const path = file === '-' ? spooledInput() : file
  const began = performance.now()
  const progress = new Progress()
  const signal = onInterrupt()
  const watch = { signal, onProgress: (done: number, total: number) => progress.update(done, total, options.system) }
  try {
    const report = await (options.url === undefined
      ? intoStore(path, options, watch)
      : intoServer(path, options, watch))
    progress.end()
    const seconds = Math.round((performance.now() - began) / 100) / 10
    print(options.json, { ...report, seconds }, () => inWords(report, seconds))
  } catch (error) {
    progress.end()
    if (signal.aborted) process.stderr.write('stopped; the same command goes on from there\n')
    throw error
  }
}

type Watch = { signal: AbortSignal; onProgress(done: number, total: number): void }

async function intoStore(path: string, options: Options, watch: Watch): Promise<ImportReport> {
  const { store = 'pb-oel.db', system, method, seed, set } = options
  const { importHistory } = await import('@pb-oel/server')
  const history = historyOf(path, options, await storedSystem(store, system))
  const extensions = await loadExtensions(modulesWithin([method, set]))
  const log = await openStore(store)
  try {
    const given = { ...(method && { method }), ...(seed !== undefined && { seed }), ...(set && { options: set }) }
    return await importHistory(log, system, history, given, watch, extensions)
  } finally {
    await log.close()
  }
}

/** The channels and levels of a system of a store, as its first record has them. */
async function storedSystem(store: string, system: string): Promise<RemoteSystem | undefined> {
  if (!existsSync(store)) return undefined
  const log = await openReader(store)
  try {
    const [created] = await log.read(system, { kinds: ['created'], limit: 1 })
    return created && JSON.parse(created.body).configuration
  } finally {
    await log.close()
  }
}

async function intoServer(path: string, options: Options, watch: Watch): Promise<ImportReport> {
  const { url = '', token = process.env.PB_OEL_TOKEN, system, method, seed, set } = options
  const server = new RemoteServer(url, token)
  const found = await server.find(system)
  const history = historyOf(path, options, found)
  const { channels, levels } = history
  if (!found) await server.create(system, { channels, levels, method, seed, options: set })
  const target = found ?? { channels: [...channels], levels: [...levels] }
  return { created: !found, ...(await server.take(system, target, history, watch)) }
}

/** Reads the file as a history; the levels are those of the system, where it is there. */
function historyOf(path: string, options: Options, found: RemoteSystem | undefined): History {
  const words = streamWords(options)
  const opening = { missing: 'keep' as const, ...(found && { levels: found.levels }), ...words, unlabelled: true }
  const stream = openFile(path, opening)
  for (const warning of streamWarnings(stream)) warn(warning)
  const times = timesOf(stream, options)
  const name = createHash('sha256')
    .update(hashFiles([path]))
    .update(JSON.stringify([words, options.start, options.every]))
  return {
    name: name.digest('hex').slice(0, 24),
    channels: stream.channels,
    levels: stream.levels,
    rows: stream.samples,
    *read() {
      const row: { x: Float64Array; level: number; time: number } = { x: new Float64Array(0), level: 0, time: 0 }
      let t = 0
      for (const { x, level, time } of stream as Iterable<{ x: Float64Array; level: number; time: number }>) {
        row.x = x
        row.level = level
        row.time = times ? times.start + times.every * t++ : time
        yield row
      }
    },
  }
}

/** The times of a file that has none, in milliseconds. */
function timesOf(stream: TableStream, { start, every, time }: Options): { start: number; every: number } | undefined {
  if (stream.timed) {
    if (start === undefined && every === undefined) return undefined
    throw new OptionError('--start', start ?? every, `left out where there is --time ${time}`)
  }
  const first = start === undefined ? Number.NaN : Date.parse(start)
  if (Number.isNaN(first) || !(every !== undefined && every > 0)) {
    throw new OptionError(
      '--time',
      undefined,
      'the column with the times, or --start and --every for a file without one',
    )
  }
  return { start: first, every: every * 1000 }
}

function inWords(report: ImportReport, seconds: number): string[] {
  const { system, created, rows, resumedAt, imported, labels, stateHash } = report
  const rate = seconds > 0 ? `, ${count(imported / seconds)} rows per second` : ''
  return [
    imported === 0
      ? `${system}: all ${counted(rows, 'row')} were there already; nothing has changed`
      : `${system}${created ? ' (new)' : ''}: ${counted(imported, 'row')} with ${counted(labels, 'label')} in ${duration(seconds)}${rate}`,
    ...(resumedAt > 0 && imported > 0 ? [`went on behind row ${count(resumedAt)} of ${count(rows)}`] : []),
    ...(stateHash ? [`state ${stateHash}`] : []),
  ]
}
