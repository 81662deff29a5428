import { ArffRows } from '../streams/arff.ts'
import { fileText } from '../streams/file-bytes.ts'
import { csvLine, rowNumbers, tableSource } from './source-rows.ts'

const CHANNELS = 10

/** Keystroke dynamics: ARFF with ten latencies and the user, 1 … 4. Level 0 is the first user. */
export function* prepareKeystroke(path: string): Generator<string> {
  yield [...Array.from({ length: CHANNELS }, (_, i) => `latency_${i + 1}`), 'level'].join()
  for (const row of tableSource(new ArffRows(fileText(path), path), path)) {
    const [user, ...latencies] = rowNumbers(row, CHANNELS + 1).reverse()
    yield csvLine(latencies.reverse(), user - 1)
  }
}
