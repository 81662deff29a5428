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
  /** Name of what is downloaded, where the local copy is prepared from it. */
  readonly source?: string
  /** What the file must hold to be the right one: channels, and the number of samples of each level, in any order. */
  readonly channels: number
  readonly levels: readonly number[]
  /** By which share the number of samples of a level may differ, where it cannot be known for sure. Default 0. */
  readonly tolerance?: number
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
  {
    name: 'skab',
    summary:
      'Skoltech anomaly benchmark, 34 experiments on a water circuit; level 0 normal, 1 and 2 a valve closes, 3 another fault: 8 channels, 4 levels, 37,401 samples',
    url: 'https://codeload.github.com/waico/SKAB/zip/refs/heads/master',
    home: 'https://github.com/waico/SKAB (GPL-3.0)',
    file: 'skab.csv',
    source: 'skab.zip',
    channels: 8,
    levels: [24_334, 6_309, 1_517, 5_241],
  },
  {
    name: 'tep5',
    summary:
      'Tennessee Eastman process, runs one after the other; level 0 normal, 1 to 4 faults 1, 4, 8 and 12: 52 channels, 5 levels, 7,120 samples',
    url: 'https://codeload.github.com/camaramm/tennessee-eastman-profBraatz/zip/refs/heads/master',
    home: 'https://github.com/camaramm/tennessee-eastman-profBraatz (University of Illinois/NCSA)',
    file: 'tep5.csv',
    source: 'tep5.zip',
    channels: 52,
    levels: [2_000, 1_280, 1_280, 1_280, 1_280],
  },
  {
    name: 'hydcooler',
    summary:
      'hydraulic test rig, the cooler near failure (level 0), weak (1) or whole (2): 12 channels, 3 levels, 2,205 samples',
    url: 'https://archive.ics.uci.edu/static/public/447/condition+monitoring+of+hydraulic+systems.zip',
    home: 'https://archive.ics.uci.edu/dataset/447/condition+monitoring+of+hydraulic+systems (CC BY 4.0)',
    file: 'hydcooler.csv',
    source: 'hydcooler.zip',
    channels: 12,
    levels: [732, 732, 741],
  },
  {
    name: 'occupancy',
    summary: 'an office that is empty or not, minute by minute: 5 channels, 2 levels, 10,000 samples',
    url: 'https://archive.ics.uci.edu/static/public/357/occupancy+detection.zip',
    home: 'https://archive.ics.uci.edu/dataset/357/occupancy+detection (CC BY 4.0)',
    file: 'occupancy.csv',
    source: 'occupancy.zip',
    channels: 5,
    levels: [7_353, 2_647],
  },
  {
    name: 'ai4i',
    summary: 'AI4I 2020 predictive maintenance, a machine fails or not: 6 channels, 2 levels, 10,000 samples',
    url: 'https://archive.ics.uci.edu/static/public/601/ai4i+2020+predictive+maintenance+dataset.zip',
    home: 'https://archive.ics.uci.edu/dataset/601/ai4i+2020+predictive+maintenance+dataset (CC BY 4.0)',
    file: 'ai4i.csv',
    source: 'ai4i.zip',
    channels: 6,
    levels: [9_661, 339],
  },
  {
    name: 'insects',
    summary:
      'INSECTS, six kinds of mosquito while it gets warmer, gradual and balanced, every second or third sample: 33 channels, 6 levels, 10,000 samples',
    url: 'https://drive.google.com/uc?export=download&id=1fepYkDxwMbuoRUaG_fsymSzkuapS4vJp&confirm=t',
    home: 'https://sites.google.com/view/uspdsrepository',
    file: 'insects.csv',
    source: 'insects-original.csv',
    channels: 33,
    levels: [1_636, 1_628, 1_688, 1_666, 1_699, 1_683],
    tolerance: 0.05,
  },
  {
    name: 'keystroke',
    summary: 'who types a password, with habits that drift: 10 channels, 4 levels, 1,600 samples',
    url: 'https://raw.githubusercontent.com/aldopaim/AdaptiveRegularizedEnsemble/3c5ede0d1a12f5021a16e1820914c49ce43d13cf/datasets/keystroke.arff',
    home: 'https://sites.google.com/view/uspdsrepository',
    file: 'keystroke.csv',
    source: 'keystroke.arff',
    channels: 10,
    levels: [400, 400, 400, 400],
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

/** Where what is downloaded may lie already, for a data set that is prepared from it. */
export function dataSetSource({ source }: DataSet): string | undefined {
  return source === undefined ? undefined : join(cacheFolder(), 'data', source)
}

/** Path of the local copy; a {@link DataError} says how to get it when there is none. */
export function localCopy(name: string): string {
  const set = findDataSet(name)
  if (!set) throw new OptionError('name', name, `one of ${DATA_SETS.map((set) => set.name).join(', ')}`)
  const path = dataSetPath(set)
  if (!existsSync(path)) throw new DataError(name, `not downloaded yet; pb-oel data get ${name}`)
  return path
}
