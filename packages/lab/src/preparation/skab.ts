import { DataError } from '../errors.ts'
import { cellNumber, columnsOf, csvLine, csvSource } from './source-rows.ts'
import { ZipArchive } from './zip-archive.ts'

/** Folders of experiments, in the order in which the stream takes turns, and the level of a fault in each. */
const FOLDERS = [
  { name: 'valve1', level: 1 },
  { name: 'other', level: 3 },
  { name: 'valve2', level: 2 },
]
const CHANNELS = [
  'Accelerometer1RMS',
  'Accelerometer2RMS',
  'Current',
  'Pressure',
  'Temperature',
  'Thermocouple',
  'Voltage',
  'Volume Flow RateRMS',
]

/**
 * SKAB: the archive of its repository, `data/<folder>/<number>.csv`, cells separated by semicolons. Experiments follow
 * one after the other, one of each folder in turn, by their numbers. Level 0 is normal; a fault has the level of its
 * folder.
 */
export function* prepareSkab(path: string): Generator<string> {
  const archive = new ZipArchive(path)
  try {
    const experiments = FOLDERS.map((folder) => ({ ...folder, files: numbered(archive.names, folder.name) }))
    for (const { name, files } of experiments) {
      if (files.length === 0) throw new DataError(path, `no files data/${name}/<number>.csv in the archive`)
    }
    yield [...CHANNELS.map((name) => name.toLowerCase().replaceAll(' ', '_')), 'level'].join()
    const turns = Math.max(...experiments.map(({ files }) => files.length))
    for (let turn = 0; turn < turns; turn++) {
      for (const { files, level } of experiments) {
        if (turn < files.length) yield* experiment(archive, files[turn], level)
      }
    }
  } finally {
    archive.close()
  }
}

function* experiment(archive: ZipArchive, name: string, level: number): Generator<string> {
  const rows = csvSource(archive.read(name), name)
  const header = rows.next().value
  if (!header) throw new DataError(name, 'the file is empty')
  const [anomaly, ...channels] = columnsOf(header, ['anomaly', ...CHANNELS])
  for (const row of rows) {
    const values = channels.map((column) => cellNumber(row, column))
    yield csvLine(values, cellNumber(row, anomaly) === 0 ? 0 : level)
  }
}

/** The files `data/<folder>/<number>.csv`, by their numbers. */
function numbered(names: readonly string[], folder: string): string[] {
  const pattern = new RegExp(`(?:^|/)data/${folder}/(\\d+)\\.csv$`)
  const number = (name: string) => Number(pattern.exec(name)?.[1])
  return names.filter((name) => pattern.test(name)).sort((a, b) => number(a) - number(b))
}
