import { DataError } from '../errors.ts'
import { blankSource, cellNumber, csvLine, rowNumbers } from './source-rows.ts'
import { ZipArchive } from './zip-archive.ts'

const SENSORS = ['TS1', 'TS2', 'TS3', 'TS4']
/** Readings of a temperature in a cycle: one per second. */
const READINGS = 60
/** The efficiency of the cooler in percent, by level. */
const CONDITIONS = [3, 20, 100]

/**
 * Condition monitoring of hydraulic systems (UCI 447): `TS1.txt` … `TS4.txt` hold one row per cycle, `profile.txt` the
 * condition of the cooler in its first column. A sample is a cycle: mean, standard deviation and range of each
 * temperature.
 */
export function* prepareHydraulics(path: string): Generator<string> {
  const archive = new ZipArchive(path)
  try {
    const open = (name: string) => blankSource(archive.read(name), name)
    const sensors = SENSORS.map((name) => open(`${name}.txt`))
    yield [...SENSORS.flatMap((name) => ['mean', 'std', 'range'].map((what) => `${name}_${what}`)), 'level'].join()
    for (const profile of open('profile.txt')) {
      const cycles = sensors.map((rows, i) => {
        const row = rows.next().value
        if (!row) throw new DataError(`${SENSORS[i]}.txt`, 'fewer rows than profile.txt')
        return rowNumbers(row, READINGS)
      })
      const level = CONDITIONS.indexOf(cellNumber(profile, 0))
      if (level < 0) {
        throw new DataError(profile.place, `condition ${profile.cells[0]}; expected one of ${CONDITIONS.join(', ')}`)
      }
      yield csvLine(cycles.flatMap(features), level)
    }
  } finally {
    archive.close()
  }
}

function features(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return [mean, Math.sqrt(variance), Math.max(...values) - Math.min(...values)]
}
