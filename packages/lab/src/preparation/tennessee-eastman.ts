import { DataError } from '../errors.ts'
import { blankSource, cellNumber, csvLine } from './source-rows.ts'
import { ZipArchive } from './zip-archive.ts'

/** Measured and manipulated variables of the process. */
const MEASURED = 41
const MANIPULATED = 11
const WIDTH = MEASURED + MANIPULATED
/** The fault of each level; level 0 is normal operation. */
const FAULTS = ['00', '01', '04', '08', '12']
/** A test file begins with so many normal samples. */
const NORMAL = 160
/** So many samples of the normal training file follow each fault of the second half. */
const BETWEEN = 100

/**
 * Tennessee Eastman: the archive of its repository, `d<fault>.dat` for training and `d<fault>_te.dat` for testing, 52
 * columns separated by blanks. First the test files of faults 1, 4, 8 and 12, normal up to sample 160; then normal
 * operation; then the training files of faults 8, 1, 4 and 12, with the beginning of normal operation behind each.
 */
export function* prepareTennesseeEastman(path: string): Generator<string> {
  const archive = new ZipArchive(path)
  try {
    const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}_${i + 1}`)
    yield [...names('xmeas', MEASURED), ...names('xmv', MANIPULATED), 'level'].join()
    for (const level of [1, 2, 3, 4]) {
      yield* run(archive, `d${FAULTS[level]}_te.dat`, (sample) => (sample < NORMAL ? 0 : level))
    }
    yield* run(archive, 'd00_te.dat', () => 0)
    for (const level of [3, 1, 2, 4]) {
      yield* run(archive, `d${FAULTS[level]}.dat`, () => level)
      yield* run(archive, 'd00.dat', () => 0, BETWEEN)
    }
  } finally {
    archive.close()
  }
}

function* run(archive: ZipArchive, name: string, level: (sample: number) => number, length = Infinity) {
  const samples = table(archive, name)
  for (let sample = 0; sample < Math.min(samples.length, length); sample++) {
    yield csvLine(samples[sample], level(sample))
  }
}

/** The samples of a file. d00.dat is published on its side, one row per variable. */
function table(archive: ZipArchive, name: string): number[][] {
  const rows = Array.from(blankSource(archive.read(name), name), (row) => row.cells.map((_, i) => cellNumber(row, i)))
  const width = rows[0]?.length ?? 0
  if (rows.some((row) => row.length !== width)) throw new DataError(name, 'its rows differ in length')
  if (width === WIDTH) return rows
  if (rows.length === WIDTH) return Array.from({ length: width }, (_, sample) => rows.map((row) => row[sample]))
  throw new DataError(name, `expected ${WIDTH} columns or rows, found ${width} and ${rows.length}`)
}
