import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { dive } from '@pb-oel/core'
import { csvLines, openStream } from '@pb-oel/lab'
import type { Benchmark } from './benchmark.ts'
import { interleave, timeResults } from './measure.ts'

const ROWS = 2000

/** Reading a table of 24 channels and a label from a file, plain and compressed. */
export const csvBench: Benchmark = {
  name: 'csv',
  summary: `a file of ${ROWS} rows × 25 columns, plain and gzipped`,
  run({ seconds }) {
    const folder = mkdtempSync(join(tmpdir(), 'pb-oel-bench-'))
    try {
      const text = [...csvLines(dive({ samples: ROWS }))].join('')
      const paths = [join(folder, 'dive.csv'), join(folder, 'dive.csv.gz')]
      writeFileSync(paths[0], text)
      writeFileSync(paths[1], gzipSync(text))
      const variants = paths.map((path) => ({ name: path.endsWith('gz') ? 'gzip' : 'plain', run: () => readAll(path) }))
      return timeResults('csv', interleave(variants, seconds))
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

function readAll(path: string): void {
  const samples = openStream(path)[Symbol.iterator]()
  while (!samples.next().done);
}
