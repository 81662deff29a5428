import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { csvLines, DataError, describeStream, GENERATORS, openStream, type OpenOptions } from '@pb-oel/lab'
import { Command } from 'commander'
import { integer, streamOptions } from '../arguments.ts'
import { count, textTable } from '../text-table.ts'

/** `pb-oel data`: streams that ship with the product and files. */
export function dataCommand(): Command {
  return new Command('data')
    .description('list, describe and export streams')
    .addCommand(listCommand())
    .addCommand(infoCommand())
    .addCommand(exportCommand())
    .addHelpText('after', '\nExamples:\n  $ pb-oel data list\n  $ pb-oel data info dive\n  $ pb-oel data export dive --out dive.csv')
}

function listCommand(): Command {
  return new Command('list')
    .description('list the streams that ship with the product')
    .option('--json', 'print one JSON document on stdout')
    .action(({ json }: { json?: boolean }) => {
      const list = GENERATORS.map(({ name, summary, settings }) => ({ name, summary, settings }))
      const rows = list.map(({ name, summary, settings }) => `${name}\n  ${summary}\n  settings: ${settings.join(', ')}`)
      process.stdout.write(json ? `${JSON.stringify(list)}\n` : `${rows.join('\n')}\n`)
    })
    .addHelpText('after', '\nExamples:\n  $ pb-oel data list\n  $ pb-oel data list --json')
}

function infoCommand(): Command {
  const command = new Command('info')
    .description('describe a stream: size, levels, channels, and what to beware of')
    .argument('<stream>', 'a generator or a path to a file')
    .option('--seed <n>', 'seed of a generator', integer(0, 2 ** 52))
    .option('--json', 'print one JSON document on stdout')
  for (const option of streamOptions()) command.addOption(option)
  return command
    .action((address: string, options: OpenOptions & { json?: boolean }) => {
      const info = describeStream(openStream(address, options))
      if (options.json) {
        process.stdout.write(`${JSON.stringify(info)}\n`)
        return
      }
      const figure = (value: number) => Number(value.toPrecision(5)).toString()
      const share = (n: number) => `${((100 * n) / info.samples).toFixed(1)} %`
      const lines = [
        `${info.name}: ${count(info.samples)} samples, ${info.channels.length} channels, ${info.levels.length} levels`,
        '',
        textTable(
          ['level', 'samples', 'share'],
          info.levels.map(({ name, count: n }) => [name, count(n), share(n)]),
        ),
        '',
        textTable(
          ['channel', 'min', 'max', 'mean', 'std'],
          info.channels.map((c) => [c.name, figure(c.min), figure(c.max), figure(c.mean), figure(c.std)]),
        ),
        '',
        `no-change accuracy ${info.noChange.toFixed(4)}, majority ${info.majority.toFixed(4)}`,
        ...info.warnings.map((warning) => `note: ${warning}`),
      ]
      process.stdout.write(`${lines.join('\n')}\n`)
    })
    .addHelpText('after', '\nExamples:\n  $ pb-oel data info dive\n  $ pb-oel data info plant.csv --label state --missing last --json')
}

function exportCommand(): Command {
  const command = new Command('export')
    .description('write a stream as CSV: a header, one row a sample, the level last')
    .argument('<stream>', 'a generator or a path to a file')
    .option('--seed <n>', 'seed of a generator', integer(0, 2 ** 52))
    .option('--out <file>', 'where to; .csv, or .csv.gz to compress (default: stdout)')
  for (const option of streamOptions()) command.addOption(option)
  return command
    .action(async (address: string, options: OpenOptions & { out?: string }) => {
      const lines = Readable.from(csvLines(openStream(address, options)))
      if (options.out === undefined) await pipeline(lines, toStdout())
      else await toFile(lines, options.out)
    })
    .addHelpText('after', '\nExamples:\n  $ pb-oel data export dive --seed 1 --out dive.csv\n  $ pb-oel data export dive:samples=1000 | head -3')
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
