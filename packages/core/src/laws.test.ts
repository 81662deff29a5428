import { METHODS } from './methods.ts'
import { CHANNELS, LEVELS, obeysTheLaws, type Subject } from './testing/laws.ts'

/** Small models and short waiting lists: the laws do not depend on size. */
const SMALL: Record<string, Record<string, unknown>> = {
  'pb-oel': { networks: 4, groups: 2, nodes: 4, buffer: 20 },
  'pb-oel-plus': { networks: 3, groups: 2, nodes: 4, buffer: 20 },
  arf: { maxNodes: 31 },
  srp: { maxNodes: 31 },
  rvfl: { groups: 2, nodes: 4 },
  'rvfl-hddm-np': { groups: 2, nodes: 4 },
  'pb-oel-standard': { networks: 3, groups: 2, nodes: 4, advice: 'soft', confidence: 'softmax' },
  'pb-oel-scaled': { networks: 3, groups: 1, nodes: 6, scaling: 'none', horizon: 500 },
}

/** A new method of the register is tested without a line here; exceptions to a law go here, with the reason. */
const EXCEPTIONS: Record<string, Subject['exceptions']> = {}

for (const { name, create, levels = LEVELS } of METHODS) {
  obeysTheLaws({
    name,
    create: (seed) => create({ channels: CHANNELS, levels, seed }, { pending: 128, ...SMALL[name] }),
    exceptions: EXCEPTIONS[name],
  })
}
