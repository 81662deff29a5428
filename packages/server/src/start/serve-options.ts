import type { Extensions } from '@pb-oel/core'
import type { SimulationSetting } from '@pb-oel/protocol'
import type { Config } from '../config.ts'
import type { ModuleFiles } from '../replay/load-modules.ts'
import type { SimulationPlan } from '../simulate/simulation.ts'

/**
 * What a server is started with: the fields of the configuration file, a simulation where one is wanted, and what its
 * modules export.
 */
export interface ServeOptions extends Omit<Config, 'modules'> {
  /** What is simulated, and which methods assess it. */
  simulate?: SimulationSetting & SimulationPlan
  extensions?: Extensions
  /**
   * Files of the modules as URLs, by their names: other threads import them again. Without, nothing leaves this one.
   */
  moduleFiles?: ModuleFiles
}
