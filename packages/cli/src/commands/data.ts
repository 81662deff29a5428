import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { OptionError } from '@pb-oel/core'
import { GENERATORS } from '@pb-oel/core/streams'
import {
  csvLines,
  DATA_SETS,
  DataError,
  DownloadError,
  DRIFTS,
  dataSetPath,
  describeStream,
  findDataSet,
  getData,
  loadStream,
  type OpenOptions,
  type StreamInfo,
  streamWarnings,
} from '@pb-oel/lab'
import { Command } from 'commander'
import { integer, STREAM_ARGUMENT, streamOptions, streamWords } from '../arguments.ts'
import { print, warn } from '../experiments.ts'
import { onInterrupt } from '../interrupt.ts'
import { duration, Progress } from '../progress.ts'
import { count, counted, textTable } from '../text-table.ts'

/** `pb-oel data`: streams that ship with the product and files. */
export function dataCommand(): Command {
  return new Command('data')
    .description('list, describe, export and download streams')
    .addCommand(listCommand())
    .addCommand(infoCommand())
    .addCommand(exportCommand())
    .addCommand(getCommand())
    .addHelpText(
      'after',
      '\nExamples:\n  $ pb-oel data list\n  $ pb-oel data info dive\n  $ pb-oel data export dive --out dive.csv',
    )
}

function listCommand(): Command {
  return new Command('list')
    .description('list the streams that ship with the product and the data sets that can be downloaded')
    .option('--json', 'print one JSON document on stdout')
    .action(({ json }: { json?: boolean }) => {
      const generators = [...GENERATORS, ...DRIFTS].map(({ name, summary, options }) => ({
        name,
        summary,
        settings: Object.keys(options),
      }))
      const downloads = DATA_SETS.map((set) => ({
        name: set.name,
        summary: set.summary,
        url: set.url,
        downloaded: existsSync(dataSetPath(set)),
      }))
      const lines = [
        'Generators and drifts, part of the product:',
        ...generators.map(
          ({ name, summary, settings }) => `  ${name}: ${summary}\n    settings: ${settings.join(', ')}`,
        ),
        '',
        'Public data sets, by pb-oel data get <name>:',
        ...downloads.map(
          ({ name, summary, downloaded }) => `  ${name}: ${summary}${downloaded ? ' (downloaded)' : ''}`,
        ),
      ]
      print(json, [...generators, ...downloads], () => lines)
    })
    .addHelpText('after', '\nExamples:\n  $ pb-oel data list\n  $ pb-oel data list --json')
}

function infoCommand(): Command {
  const command = new Command('info')
    .description('describe a stream: size, levels, channels, and what to beware of')
    .argument('<stream>', STREAM_ARGUMENT)
    .option('--seed <n>', 'seed of a generator', integer(0, 2 ** 52))
    .option('--json', 'print one JSON document on stdout')
  for (const option of streamOptions()) command.addOption(option)
  return command
    .action(async (address: string, options: OpenOptions & { json?: boolean }) => {
      const missing = options.missing === 'error' ? 'keep' : options.missing
      const info = describeStream(await loadStream(address, { ...openingOf(options), missing }))
      print(options.json, info, () => infoText(info))
    })
    .addHelpText(
      'after',
      '\nExamples:\n  $ pb-oel data info dive\n  $ pb-oel data info plant.csv --label state --missing last --json',
    )
}

/** How a stream is opened, from the words of a command. */
function openingOf(options: OpenOptions): OpenOptions {
  return { ...streamWords(options), ...(options.seed !== undefined && { seed: options.seed }) }
}

function infoText(info: StreamInfo): string[] {
  const figure = (value: number) => (Number.isFinite(value) ? Number(value.toPrecision(5)).toString() : '–')
  const share = (n: number) => `${((100 * n) / info.samples).toFixed(1)} %`
  return [
    `${info.name}: ${counted(info.samples, 'sample')}, ${counted(info.channels.length, 'channel')}, ${counted(info.levels.length, 'level')}`,
    '',
    textTable(
      ['level', 'samples', 'share'],
      info.levels.map(({ name, count: n }) => [name, count(n), share(n)]),
    ),
    '',
    textTable(
      ['channel', 'min', 'max', 'mean', 'std', 'missing'],
      info.channels.map((c) => [
        c.unit === undefined ? c.name : `${c.name} [${c.unit}]`,
        ...[c.min, c.max, c.mean, c.std].map(figure),
        count(c.missing),
      ]),
    ),
    '',
    `no-change accuracy ${info.noChange.toFixed(4)}, majority ${info.majority.toFixed(4)}, missing values ${count(info.missing)}`,
    ...timeLines(info),
    ...info.warnings.map((warning) => `note: ${warning}`),
  ]
}

function timeLines({ time }: StreamInfo): string[] {
  if (!time) return []
  const day = (at: number) => new Date(at).toISOString()
  const gaps =
    time.gaps === 0
      ? 'no gaps'
      : `${counted(time.gaps, 'gap')}, the longest ${lasting(time.longestGap)} after ${day(time.longestGapAt)}`
  return [
    `time ${day(time.first)} to ${day(time.last)}, every ${lasting(time.interval)} (${rate(time.interval)}), ${gaps}`,
  ]
}

const lasting = (milliseconds: number): string =>
  milliseconds < 1000 ? `${Number(milliseconds.toPrecision(4))} ms` : duration(milliseconds / 1000)
const rate = (interval: number): string =>
  interval > 0 ? `${Number((1000 / interval).toPrecision(3))} per second` : 'all at once'

function getCommand(): Command {
  return new Command('get')
    .description('download a public data set into the cache and prepare it; goes on where an earlier call stopped')
    .argument('<name>', `one of ${DATA_SETS.map(({ name }) => name).join(', ')}`)
    .option('--json', 'print one JSON document on stdout')
    .action(async (name: string, { json }: { json?: boolean }) => {
      const set = findDataSet(name)
      if (!set) throw new OptionError('name', name, `one of ${DATA_SETS.map(({ name }) => name).join(', ')}`)
      const progress = new Progress()
      const onProgress = (bytes: number, total: number | undefined) => progress.update(bytes, total ?? bytes, name)
      const found = await getData(set, { signal: onInterrupt(), onProgress })
        .finally(() => progress.end())
        .catch(unreachable)
      if (!found) return
      const what = found.downloaded ? 'downloaded' : 'already there'
      print(json, found, () => [
        found.path,
        `${what}, SHA-256 ${found.sha256}`,
        `use it as the stream ${name}: pb-oel run ${name}`,
      ])
    })
    .addHelpText('after', '\nExamples:\n  $ pb-oel data get jiaolong\n  $ PB_OEL_CACHE=/data pb-oel data get skab')
}

/** No network is no defect: a message instead of a stack, and exit code 1. */
function unreachable(error: unknown): undefined {
  if (!(error instanceof DownloadError)) throw error
  process.stderr.write(`error: ${error.message}\n`)
  process.exitCode = 1
}

function exportCommand(): Command {
  const command = new Command('export')
    .description('write a stream as CSV: a header, one row per sample, the level last')
    .argument('<stream>', STREAM_ARGUMENT)
    .option('--seed <n>', 'seed of a generator', integer(0, 2 ** 52))
    .option('--out <file>', 'where to; .csv, or .csv.gz to compress (default: stdout)')
  for (const option of streamOptions()) command.addOption(option)
  return command
    .action(async (address: string, options: OpenOptions & { out?: string }) => {
      const stream = await loadStream(address, openingOf(options))
      for (const warning of streamWarnings(stream)) warn(warning)
      const lines = Readable.from(csvLines(stream))
      if (options.out === undefined) await pipeline(lines, toStdout())
      else await toFile(lines, options.out)
    })
    .addHelpText(
      'after',
      '\nExamples:\n  $ pb-oel data export dive --seed 1 --out dive.csv\n  $ pb-oel data export dive:samples=1000 | head -3',
    )
}

/** stdout as a stream that a pipeline may end without closing stdout itself. */
function toStdout(): Writable {
  return new Writable({
    write: (chunk, _encoding, done) => {
      if (process.stdout.write(chunk)) done()
      else process.stdout.once('drain', done)
    },
  })
}

/** Writes beside the target and renames at the end, so that a stop in between leaves no half-written file. */
async function toFile(lines: Readable, path: string): Promise<void> {
  const partial = `${path}.partial`
  try {
    if (path.endsWith('.gz')) await pipeline(lines, createGzip(), createWriteStream(partial))
    else await pipeline(lines, createWriteStream(partial))
    renameSync(partial, path)
  } catch (cause) {
    rmSync(partial, { force: true })
    const { code } = cause as NodeJS.ErrnoException
    if (code === undefined) throw cause
    throw new DataError(path, `cannot be written (${code})`)
  }
}
