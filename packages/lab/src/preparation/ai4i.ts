import { DataError } from '../errors.ts'
import { cellNumber, columnsOf, csvLine, csvSource } from './source-rows.ts'
import { ZipArchive } from './zip-archive.ts'

const FILE = 'ai4i2020.csv'
const CHANNELS = [
  'Air temperature [K]',
  'Process temperature [K]',
  'Rotational speed [rpm]',
  'Torque [Nm]',
  'Tool wear [min]',
]
/** Qualities of the product: low, medium, high. The channel `type` is the place in this list. */
const TYPES = ['L', 'M', 'H']

/** AI4I 2020 predictive maintenance (UCI 601): the five readings and the quality; level 1 is a failure of any kind. */
export function* prepareAi4i(path: string): Generator<string> {
  const archive = new ZipArchive(path)
  try {
    const rows = csvSource(archive.read(FILE), FILE)
    const header = rows.next().value
    if (!header) throw new DataError(FILE, 'the file is empty')
    const [failure, type, ...channels] = columnsOf(header, ['Machine failure', 'Type', ...CHANNELS])
    yield 'air_temperature,process_temperature,rotational_speed,torque,tool_wear,type,level'
    for (const row of rows) {
      const quality = TYPES.indexOf(row.cells[type])
      if (quality < 0) throw new DataError(row.place, `type ${row.cells[type]}; expected one of ${TYPES.join(', ')}`)
      yield csvLine([...channels.map((column) => cellNumber(row, column)), quality], cellNumber(row, failure))
    }
  } finally {
    archive.close()
  }
}
