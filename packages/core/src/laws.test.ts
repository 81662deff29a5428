import { describe } from 'vitest'
import { DETECTORS } from './drift/detectors.ts'
import { type AssessorSubject, laws, subjectOf } from './laws/assessor-laws.ts'
import { detectorLaws } from './laws/detector-laws.ts'
import { learnerLaws } from './laws/learner-laws.ts'
import { streamLaws } from './laws/stream-laws.ts'
import { LEARNERS } from './learners/learners.ts'
import { findMethod, METHODS } from './methods.ts'
import { GENERATORS } from './streams/generators.ts'
import { obey } from './testing/obey.ts'

/** Small models: the laws do not depend on size. */
const SMALL: Record<string, Record<string, unknown>> = {
  'pb-oel': { networks: 4, groups: 2, nodes: 4, buffer: 20 },
  'pb-oel-plus': { networks: 3, groups: 2, nodes: 4, buffer: 20 },
  arf: { maxNodes: 31 },
  srp: { maxNodes: 31 },
  rvfl: { groups: 2, nodes: 4 },
  'rvfl-hddm-np': { groups: 2, nodes: 4 },
  'pb-oel-standard': { networks: 3, groups: 2, nodes: 4, advice: 'soft', confidence: 'softmax', scaling: 'robust' },
  'pb-oel-scaled': { networks: 3, groups: 1, nodes: 6, scaling: 'none', horizon: 500 },
}

/** A new method of the register is tested without a line here; exceptions to a law go here, with the reason. */
const EXCEPTIONS: Record<string, AssessorSubject['exceptions']> = {}

describe.each(METHODS)('$name', (method) => {
  obey(laws({ ...subjectOf(method, SMALL[method.name]), exceptions: EXCEPTIONS[method.name] }))
})

/** Whatever computes the networks, the laws hold. */
describe.each([
  { precision: 'single' },
  { precision: 'single', arithmetic: 'typescript' },
  { arithmetic: 'relaxed' },
  { threads: 2 },
])('pb-oel with %o', (options) => {
  obey(laws(subjectOf(findMethod('pb-oel'), { ...SMALL['pb-oel'], ...options })))
})

/** Page–Hinkley's default threshold is for longer streams. */
const EAGER: Record<string, Record<string, unknown>> = { 'page-hinkley': { threshold: 10 } }

describe.each(DETECTORS)('detector $name', ({ name, create }) => {
  obey(detectorLaws({ create: () => create(EAGER[name]), draws: name === 'kswin' }))
})

describe.each(LEARNERS)('learner $name', ({ create }) => {
  obey(learnerLaws({ create: (shape) => create(shape) }))
})

describe.each(GENERATORS)('stream $name', ({ create }) => {
  obey(streamLaws({ create: () => create({ samples: 500 }) }))
})
