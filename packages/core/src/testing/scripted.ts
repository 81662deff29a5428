import { extensionsOf } from '../extensions.ts'
import { defineLearner } from '../learners/learner.ts'
import { option } from '../options/option.ts'
import { PbOel, type PbOelOptions } from '../pb-oel/pb-oel.ts'

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

const EXTENSIONS = extensionsOf({ './scripted.ts': { default: SCRIPTED } })

/** PB-OEL itself with scripted experts: channel n of a sample is the level that expert n advises. */
export function scriptedPbOel(experts: number, levels: number, options: Partial<PbOelOptions> = {}): PbOel {
  const members = Array.from({ length: experts }, (_, at) => ({ kind: './scripted.ts', at }))
  return new PbOel({ channels: experts, levels, networks: 0, members, ...options }, EXTENSIONS)
}

/** ln(q_n / q_0) of every expert: what the weights have been credited beyond the first, times γ/K. */
export function logOdds(assessor: PbOel): number[] {
  const { shares } = assessor
  return Array.from(shares, (share) => Math.log(share / shares[0]))
}
