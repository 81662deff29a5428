import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OptionError } from '@pb-oel/core'
import { cacheFolder } from '../cache-folder.ts'
import { DataError } from '../errors.ts'

/** A public data set that `pb-oel data get` knows. */
export interface DataSet {
  readonly name: string
  readonly summary: string
  readonly url: string
  /** Where a person finds it, and its licence. */
  readonly home: string
  /** Name of the local copy. */
  readonly file: string
  /** What the file must hold to be the right one: channels, and the number of samples of each level, in any order. */
  readonly channels: number
  readonly levels: readonly number[]
}

/** Every data set that can be downloaded. None ships with the product: their licences are their owners'. */
export const DATA_SETS: readonly DataSet[] = [
  {
    name: 'jiaolong',
    summary: 'dive 151 of the submersible Jiaolong, the data of the paper: 24 channels, 3 levels, 30,000 samples',
    url: 'https://raw.githubusercontent.com/THUFDD/JiaolongDSMS_datasets/main/Jiaolong_DSMS_V2.csv',
    home: 'https://github.com/THUFDD/JiaolongDSMS_datasets (MIT)',
    file: 'Jiaolong_DSMS_V2.csv',
    channels: 24,
    levels: [10_512, 10_985, 8_503],
  },
  {
    name: 'electricity',
    summary:
      'Elec2, the price of electricity in New South Wales going up or down: 8 channels, 2 levels, 45,312 samples',
    url: 'https://raw.githubusercontent.com/scikit-multiflow/streaming-datasets/279075ba8affbf4179648560562b4582b1199463/elec.csv',
    home: 'https://github.com/scikit-multiflow/streaming-datasets',
    file: 'elec.csv',
    channels: 8,
    levels: [26_075, 19_237],
  },
  {
    name: 'weather',
    summary: 'NOAA weather, rain or not: 8 channels, 2 levels, 18,159 samples',
    url: 'https://raw.githubusercontent.com/scikit-multiflow/streaming-datasets/master/weather.csv',
    home: 'https://github.com/scikit-multiflow/streaming-datasets',
    file: 'weather.csv',
    channels: 8,
    levels: [12_461, 5_698],
  },
]

/** The data set of a name, if there is one. */
export function findDataSet(name: string): DataSet | undefined {
  return DATA_SETS.find((set) => set.name === name)
}

/** Where the local copy of a data set is, or will be. */
export function dataSetPath(set: DataSet): string {
  return join(cacheFolder(), 'data', set.file)
}

/** Path of the local copy; a {@link DataError} says how to get it when there is none. */
export function localCopy(name: string): string {
  const set = findDataSet(name)
  if (!set) throw new OptionError('name', name, `one of ${DATA_SETS.map((set) => set.name).join(', ')}`)
  const path = dataSetPath(set)
  if (!existsSync(path)) throw new DataError(name, `not downloaded yet; pb-oel data get ${name}`)
  return path
}
