import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '@pb-oel/core'
import { dataSetPath, findDataSet, openStream } from '@pb-oel/lab'
import { CACHE } from './set-up.ts'

/** A stream exported for all: one row per sample, channels then the level, no header. */
export interface Exported {
  readonly name: string
  readonly path: string
  readonly samples: number
  readonly channels: number
  readonly levels: number
}

/** Data sets that `pb-oel data get` fetches. */
const DATA_SETS = ['electricity', 'weather']

/**
 * Exports the simulated dive, every data set that has been fetched and the files given; `skip` hears of the others.
 *
 * @param files paths by name; a file named like a data set stands in for it
 */
export function exportStreams(files: Readonly<Record<string, string>>, skip: (line: string) => void): Exported[] {
  const streams = [exportStream('dive', 'dive')]
  for (const name of DATA_SETS) {
    if (Object.hasOwn(files, name)) continue
    const set = findDataSet(name)
    if (set && existsSync(dataSetPath(set))) streams.push(exportStream(name, name))
    else skip(`${name} skipped: pb-oel data get ${name} fetches it`)
  }
  for (const [name, path] of Object.entries(files)) streams.push(exportStream(name, path))
  return streams
}

/** Errors (1) among right answers (0), at a rate that changes between 0.1 and 0.3 every 5000 values. */
export function exportErrors(): Exported {
  const random = new Random(1, 'peers errors')
  const samples = 100_000
  const values = Array.from({ length: samples }, (_, i) =>
    random.uniform() < (i % 10_000 < 5_000 ? 0.1 : 0.3) ? 1 : 0,
  )
  const path = join(CACHE, 'errors.csv')
  writeFileSync(path, `${values.map((value) => `0,${value}`).join('\n')}\n`)
  return { name: 'errors', path, samples, channels: 1, levels: 2 }
}

/** Two samples of different levels, for the start of a process. */
export function exportTwo(stream: Exported): string {
  const rows = new Map<number, string>()
  for (const { x, level } of openStream(stream.path)) if (!rows.has(level)) rows.set(level, [...x, level].join(','))
  const path = join(CACHE, 'two.csv')
  writeFileSync(path, `${[...rows.values()].slice(0, 2).join('\n')}\n`)
  return path
}

function exportStream(name: string, address: string): Exported {
  const stream = openStream(address)
  const path = join(CACHE, `${name}.csv`)
  const rows = Array.from(stream, ({ x, level }) => [...x, level].join(','))
  writeFileSync(path, `${rows.join('\n')}\n`)
  return { name, path, samples: rows.length, channels: stream.channels.length, levels: stream.levels.length }
}
