import { prepareAi4i } from './ai4i.ts'
import { prepareHydraulics } from './hydraulics.ts'
import { prepareInsects } from './insects.ts'
import { prepareKeystroke } from './keystroke.ts'
import { prepareOccupancy } from './occupancy.ts'
import { prepareSkab } from './skab.ts'
import { prepareTennesseeEastman } from './tennessee-eastman.ts'

/** Makes the lines of a CSV file, the header first, from the path of what was downloaded. */
export type Preparation = (source: string) => Iterable<string>

/** How data sets are made from what is downloaded, by their names. Those that are not here are used as they are. */
export const PREPARATIONS: Readonly<Record<string, Preparation>> = {
  skab: prepareSkab,
  tep5: prepareTennesseeEastman,
  hydcooler: prepareHydraulics,
  occupancy: prepareOccupancy,
  ai4i: prepareAi4i,
  insects: prepareInsects,
  keystroke: prepareKeystroke,
}
