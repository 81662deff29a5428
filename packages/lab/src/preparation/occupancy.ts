import { cellNumber, csvLine, csvSource } from './source-rows.ts'
import { ZipArchive } from './zip-archive.ts'

/** `datatest.txt` was recorded before `datatraining.txt`. */
const FILES = ['datatest.txt', 'datatraining.txt']
const CHANNELS = ['temperature', 'humidity', 'light', 'co2', 'humidity_ratio']
/** Cells before the channels: number and date of the row. The header does not name the first. */
const BEFORE = 2
const SAMPLES = 10_000

/** Occupancy detection (UCI 357): two weeks in the order in which they were recorded, the first 10,000 minutes. */
export function* prepareOccupancy(path: string): Generator<string> {
  const archive = new ZipArchive(path)
  try {
    yield [...CHANNELS, 'level'].join()
    let left = SAMPLES
    for (const name of FILES) {
      const rows = csvSource(archive.read(name), name)
      rows.next()
      for (const row of rows) {
        if (left-- <= 0) return
        const channels = CHANNELS.map((_, i) => cellNumber(row, BEFORE + i))
        yield csvLine(channels, cellNumber(row, BEFORE + CHANNELS.length))
      }
    }
  } finally {
    archive.close()
  }
}
