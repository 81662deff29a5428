import { extensionsOf } from '../extensions.ts'
import { defineLearner } from '../learners/learner.ts'
import { option } from '../options/option.ts'
import { PbOel, type PbOelOptions } from '../pb-oel/pb-oel.ts'
import type { PbOelPlusOptions } from '../pb-oel-plus/options.ts'
import { PbOelPlus } from '../pb-oel-plus/pb-oel-plus.ts'

/** A learner that says what channel `at` of the sample says, so that a test decides what every expert advises. */
const SCRIPTED = defineLearner({
  name: 'scripted',
  title: 'scripted',
  summary: 'says what a channel says',
  options: { at: option.integer({ from: 0, to: 1000, default: 0, about: 'The channel that holds its level.' }) },
  create: (_, options) => ({
    predict: (x, out) => out.fill(0).fill(1, x[Number(options?.at ?? 0)], x[Number(options?.at ?? 0)] + 1),
    learn() {},
    transfer() {},
  }),
})

/** A learner that says the level of its seed. */
const SEEDED = defineLearner({
  name: 'seeded',
  title: 'seeded',
  summary: 'says its seed',
  options: { seed: option.integer({ from: 0, to: 100, default: 0, about: 'The level.' }) },
  create: (_, options) => ({
    predict: (_x, out) => out.fill(0).fill(1, Number(options?.seed ?? 0), Number(options?.seed ?? 0) + 1),
    learn() {},
    transfer() {},
  }),
})

/** The scripted learners, for what is made from a snapshot. */
export const SCRIPTED_EXTENSIONS = extensionsOf({
  './scripted.ts': { default: SCRIPTED },
  './seeded.ts': { default: SEEDED },
})

/** Experts beside no network: channel n of a sample is the level that expert n advises. */
function task(experts: number, levels: number) {
  const members = Array.from({ length: experts }, (_, at) => ({ kind: './scripted.ts', at }))
  return { channels: experts, levels, networks: 0, members }
}

/** PB-OEL itself with scripted experts: channel n of a sample is the level that expert n advises. */
export function scriptedPbOel(experts: number, levels: number, options: Partial<PbOelOptions> = {}): PbOel {
  return new PbOel({ ...task(experts, levels), ...options }, SCRIPTED_EXTENSIONS)
}

/** PB-OEL+ itself, likewise, with nothing between the experts' advice and the weights. */
export function scriptedPlus(experts: number, levels: number, options: Partial<PbOelPlusOptions> = {}): PbOelPlus {
  return new PbOelPlus({ ...task(experts, levels), blend: false, guard: false, ...options }, SCRIPTED_EXTENSIONS)
}

/** ln(q_n / q_0) of every expert: what the weights have been credited beyond the first, times γ/K. */
export function logOdds(assessor: PbOel): number[] {
  const { shares } = assessor
  return Array.from(shares, (share) => Math.log(share / shares[0]))
}
