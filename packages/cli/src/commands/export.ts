import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DataError } from '@pb-oel/lab'
import { readMoment } from '@pb-oel/protocol'
import { Command, InvalidArgumentError, Option } from 'commander'
import { openReader } from '../stores.ts'

interface Options {
  store?: string
  url?: string
  token?: string
  cluster?: string
  format: string
  from?: number
  to?: number
  detail?: boolean
  out?: string
}

/** `pb-oel export`: the samples of a system as a file. */
export function exportCommand(): Command {
  return new Command('export')
    .description('write the samples of a system with their true levels, as far as answers tell them, to a file')
    .argument('<system>', 'name of the system')
    .option('--store <file>', 'the store it is in, or nats://… of a cluster; a server may have it open')
    .option('--url <address>', 'the server that has it, such as http://127.0.0.1:8400')
    .addOption(new Option('--token <text>', 'token for that server').env('PB_OEL_TOKEN'))
    .option('--cluster <name>', 'which cluster of these NATS servers (default: pb-oel)')
    .addOption(new Option('--format <name>', 'form of the file').choices(['csv', 'ndjson', 'parquet']).default('csv'))
    .option('--from <moment>', 'samples that arrived at or after: ISO 8601 with its zone, or ms since 1970', moment)
    .option('--to <moment>', 'samples that arrived before', moment)
    .option('--detail', 'also what was assessed, and who answered')
    .option('--out <file>', 'where to write it (default: standard output)')
    .action(run)
    .addHelpText(
      'after',
      `
The columns are time (the clock of the sensor where it was sent, otherwise arrival), the channels by name, and level.

Examples:
  $ pb-oel export boat --store plant.db --out boat.csv
  $ pb-oel export boat --url http://127.0.0.1:8400 --format parquet --from 2026-11-01T00:00:00Z --out november.parquet
  $ pb-oel export boat --store plant.db --format ndjson --detail | head`,
    )
}

async function run(system: string, options: Options): Promise<void> {
  const { store, url, out } = options
  if ((store === undefined) === (url === undefined)) throw new DataError('--store, --url', 'expected one of the two')
  const close: (() => Promise<void>)[] = []
  try {
    const pieces = store === undefined ? await fromServer(system, options) : await fromStore(system, options, close)
    let bytes = 0
    const counted = Readable.from(
      (async function* () {
        for await (const piece of pieces) {
          bytes += piece.length
          if (piece.length > 0) yield piece
        }
      })(),
      { objectMode: false },
    )
    if (out === undefined) {
      await pipeline(counted, process.stdout, { end: false })
      return
    }
    await writeWhole(counted, out)
    process.stderr.write(`${out}: ${bytes.toLocaleString('en')} bytes\n`)
  } finally {
    for (const end of close) await end()
  }
}

/** Under another name until it is complete: an export that broke off must not look like a whole one. */
async function writeWhole(content: Readable, out: string): Promise<void> {
  const partial = `${out}.part`
  try {
    await pipeline(content, createWriteStream(partial))
    await rename(partial, out)
  } catch (error) {
    await rm(partial, { force: true })
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR') throw new DataError(out, message)
    throw error
  }
}

async function fromStore(system: string, { store = '', cluster, ...wish }: Options, close: (() => Promise<void>)[]) {
  const { exportStored } = await import('@pb-oel/server')
  const log = await openReader(store, cluster)
  close.push(() => log.close())
  if (!(await log.systems()).includes(system)) throw new DataError(store, `there is no system ${system}`)
  const { format, from, to, detail = false } = wish
  return exportStored(log, { system, format, from, to, detail })
}

async function fromServer(system: string, options: Options): Promise<AsyncIterable<Uint8Array>> {
  const { url = '', token, format, from, to, detail } = options
  const wish = { format, from, to, detail }
  const query = Object.entries(wish).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  if (!/^https?:\/\//.test(url)) throw new DataError('--url', `expected an address such as http://127.0.0.1:8400`)
  const address = new URL(`/v1/systems/${encodeURIComponent(system)}/export?${new URLSearchParams(query)}`, url)
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(address, { headers }).catch((error: Error) => {
    throw new DataError(url, `cannot be reached (${(error.cause as Error | undefined)?.message ?? error.message})`)
  })
  if (response.ok && response.body) return response.body
  const { detail: reason } = (await response.json().catch(() => ({}))) as { detail?: string }
  throw new DataError(url, reason ?? `answered ${response.status}`)
}

function moment(text: string): number {
  try {
    return readMoment(/^\d+$/.test(text) ? Number(text) : text, 'moment')
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}
