import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '@pb-oel/core'
import { openStream } from '@pb-oel/lab'
import { CACHE, HERE } from './set-up.ts'

/** A stream exported for all: one row a sample, channels then the level, no header. */
export interface Exported {
  readonly name: string
  readonly path: string
  readonly samples: number
  readonly channels: number
  readonly levels: number
}

/** Where the data sets are expected that do not ship with the product, seen from this folder. */
const DATA_SETS = '../../../shared/datasets'
/** Their label columns; naming them says that the files have a header, whose names may look like numbers. */
const LABELS = { electricity: 'target', weather: 'target', skab: 'label' }

/** Exports the simulated dive and every data set that is there; `skip` hears of the others. */
export function exportStreams(skip: (line: string) => void): Exported[] {
  const streams = [exportStream('dive', 'dive')]
  for (const [name, label] of Object.entries(LABELS)) {
    const file = join(HERE, DATA_SETS, `${name}.csv.gz`)
    if (existsSync(file)) streams.push(exportStream(name, file, label))
    else skip(`${name} skipped: no ${name}.csv.gz in ${DATA_SETS} (seen from bench/peers)`)
  }
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

function exportStream(name: string, address: string, label?: string): Exported {
  const stream = openStream(address, label === undefined ? {} : { label })
  const path = join(CACHE, `${name}.csv`)
  const rows = Array.from(stream, ({ x, level }) => [...x, level].join(','))
  writeFileSync(path, `${rows.join('\n')}\n`)
  return { name, path, samples: rows.length, channels: stream.channels.length, levels: stream.levels.length }
}
