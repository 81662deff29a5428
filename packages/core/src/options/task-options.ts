import type { LabelledSample } from '../assessor.ts'
import { isList, option } from './option.ts'

/** The seed of everything random. */
export const SEED = option.integer({
  from: 0,
  to: Number.MAX_SAFE_INTEGER,
  default: 1,
  about: 'Seed of all randomness.',
})

/**
 * Which edition of its own behaviour a class is to follow. Logs and snapshots hold the edition they were made with, so
 * that they go on with the same bits after a release that behaves otherwise.
 */
export const EDITION = option.choice([1, 2], {
  default: 2,
  about: 'Edition of the behaviour: 2 is the present one, 1 that of logs and snapshots that name none.',
})

/** The shape of a task: options that every assessor and every learner has. */
export const SHAPE_OPTIONS = {
  channels: option.integer({ from: 1, to: 10_000, required: true, about: 'Number of channels d of a sample.' }),
  levels: option.integer({ from: 2, to: 255, required: true, about: 'Number of levels K.' }),
}

/** Options that every assessor has. */
export const TASK_OPTIONS = {
  ...SHAPE_OPTIONS,
  seed: SEED,
  warmUp: option.json('a list of { x, level }', isList<LabelledSample>, {
    default: [],
    about: 'Labelled samples to start from, such as one of each level; they become part of every snapshot.',
  }),
  pending: option.integer({
    from: 1,
    to: 2 ** 20,
    default: 1024,
    about: 'How many assessments wait for an answer at most.',
  }),
}
