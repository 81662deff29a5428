import type { Member } from '../experts/member.ts'
import { FOREST } from '../learners/forest/forest.ts'
import { KNOWN_LEARNERS } from '../learners/known-learners.ts'
import { NAIVE_BAYES } from '../learners/naive-bayes.ts'
import { NEAREST_NEIGHBOURS } from '../learners/nearest-neighbours.ts'
import type { PbOelPlusSettings } from './options.ts'

/** Where answers can be wrong, some experts must not move at every "wrong". */
const persistence = (noise: unknown, more = {}): readonly Member[] =>
  (noise === 0 ? [1, 2] : [1, 2, 4, 8]).map((patience) => ({ kind: 'persistence', patience, ...more }))

KNOWN_LEARNERS.add([FOREST, NAIVE_BAYES, NEAREST_NEIGHBOURS])

/** The experts beside the networks where the caller names none. */
export function membersOf({ noise, edition, channels }: PbOelPlusSettings): readonly Member[] {
  return edition === 1 ? persistence(noise) : [...persistence(noise, { search: true }), ...wide(channels)]
}

/** An expert for each kind of world beside the networks; docs/method-plus.md says what each of them adds. */
function wide(channels: number): readonly Member[] {
  // The cost of nearest neighbours grows with window × channels.
  const window = Math.max(500, Math.min(1000, Math.round(12_000 / channels)))
  return [
    { kind: 'forest', subspace: 0.6, features: 'all', driftDelta: 1e-5, warningDelta: 1e-4, memory: 8 },
    { kind: 'naive-bayes' },
    { kind: 'nearest-neighbours', scaling: 'robust', window, rejections: window >> 1 },
  ]
}
