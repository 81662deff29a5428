import { DataError } from '../errors.ts'
import { fileText } from '../streams/file-bytes.ts'
import { cellNumber, csvLine, csvSource } from './source-rows.ts'

const CHANNELS = 33
/** Samples of the original, and how many of them are taken, evenly. */
const ORIGINAL = 24_150
const SAMPLES = 10_000

/**
 * INSECTS, gradual and balanced: CSV without a header, 33 features and the name of the class. Sample i of the stream is
 * row ⌊2.415·i⌋, so every second or third one. Levels are the classes in alphabetical order.
 */
export function* prepareInsects(path: string): Generator<string> {
  const classes = [...new Set(Array.from(rowsOf(path), ({ cells }) => cells[CHANNELS]))].sort()
  yield [...Array.from({ length: CHANNELS }, (_, i) => `f${i + 1}`), 'level'].join()
  let at = 0
  let taken = 0
  for (const row of rowsOf(path)) {
    if (at++ !== Math.floor((taken * ORIGINAL) / SAMPLES)) continue
    taken++
    const channels = Array.from({ length: CHANNELS }, (_, i) => cellNumber(row, i))
    yield csvLine(channels, classes.indexOf(row.cells[CHANNELS]))
  }
}

function* rowsOf(path: string) {
  for (const row of csvSource(fileText(path), path)) {
    if (row.cells.length !== CHANNELS + 1) {
      throw new DataError(row.place, `expected ${CHANNELS} features and a class, found ${row.cells.length} in all`)
    }
    yield row
  }
}
