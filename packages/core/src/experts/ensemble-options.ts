import { isList, option } from '../options/option.ts'
import type { OptionsOf } from '../options/option-table.ts'
import { EDITION, TASK_OPTIONS } from '../options/task-options.ts'
import { RVFL_OPTIONS } from '../rvfl/options.ts'
import type { Member } from './member.ts'

/** The options of every ensemble of experts. */
export const ENSEMBLE_OPTIONS = {
  ...RVFL_OPTIONS,
  networks: option.integer({
    from: 0,
    to: 1000,
    otherwise: '10',
    formerly: 'experts',
    about: 'Number of RVFL networks; 0 only where there are `members`.',
  }),
  members: option.json('a list of { kind, … }', isList<Member>, {
    otherwise: 'none',
    about: 'Further experts beside the networks, such as `{ kind: "persistence" }` or any learner.',
  }),
  advice: option.choice(['hard', 'soft'], {
    default: 'hard',
    about: 'What experts tell the ensemble: `hard`, one-hot of their level, or `soft`, their confidences.',
  }),
  costs: option.json('a list of lists of numbers', isList<readonly number[]>, {
    otherwise: 'all mistakes alike',
    about: 'Costs of mistakes: with hard advice experts vote for their level of least expected cost.',
  }),
  action: option.choice(['sample', 'argmax'], {
    default: 'sample',
    about: '`sample` draws the level, as the guarantee needs; `argmax` takes the most probable, without guarantee.',
  }),
  pending: TASK_OPTIONS.pending,
  regretWindow: option.integer({
    from: 2,
    to: 2 ** 40,
    default: 3600,
    about: 'Number of latest samples that the regret is also bounded for on their own.',
  }),
  regretConfidence: option.number({
    from: 0.5,
    to: 0.9999,
    default: 0.95,
    about: 'Probability with which the bound of the regret holds at all times.',
  }),
  edition: EDITION,
}

/** Options of every ensemble of experts, as {@link ENSEMBLE_OPTIONS} declares them. */
export type EnsembleOptions = OptionsOf<typeof ENSEMBLE_OPTIONS>
