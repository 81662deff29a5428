import { ENSEMBLE_OPTIONS } from '../experts/ensemble-options.ts'
import { option } from '../options/option.ts'
import type { OptionsOf, SettingsOf } from '../options/option-table.ts'

/** The options of PB-OEL+. Every part of the method can be changed or switched off by one of them. */
export const PB_OEL_PLUS_OPTIONS = {
  ...ENSEMBLE_OPTIONS,
  members: {
    ...ENSEMBLE_OPTIONS.members,
    otherwise:
      'persistence with patience 1 and 2 (and 4 and 8 where answers can be wrong), a forest, naive Bayes, nearest ' +
      'neighbours; persistence alone in edition 1',
  },
  networks: { ...ENSEMBLE_OPTIONS.networks, otherwise: '6; 10 in edition 1' },
  scaling: { ...ENSEMBLE_OPTIONS.scaling, otherwise: '`robust`; in edition 1 `warm-up` or `running`' },
  decision: option.choice(['leader', 'draw'], {
    otherwise: 'leader; draw in edition 1',
    about: '`leader` takes the most probable level and now and then draws one; `draw` always draws.',
  }),
  explore: option.number({
    from: 0,
    to: 1,
    default: 0.05,
    about: 'Probability ε of a draw where the decision is `leader`.',
  }),
  lambda: option.number({
    from: 0,
    to: 1,
    words: ['leader', 'plain'],
    otherwise: 'plain; leader in edition 1',
    about:
      'Weight λ of what confirmations say about losses, against what rejections say; `leader` is the probability of ' +
      'the leading level, `plain` counts both in full. With `costs` it is always 1.',
  }),
  rate: option.number({
    above: 0,
    to: 100,
    words: ['adaptive', 'horizon'],
    default: 'adaptive',
    about: 'Learning rate η; `adaptive` to the losses; or `horizon`, the best fixed one for `horizon` and `rho`.',
  }),
  share: option.number({
    from: 0,
    to: 0.5,
    otherwise: '0.0005; 0.001 in edition 1',
    about: 'Share σ of the weight that goes back to the first weights after each round.',
  }),
  implicit: option.number({
    from: 0,
    to: 1,
    otherwise: '0.05; 0 in edition 1',
    about: 'Added to the probabilities that estimates divide by: less variance, a little bias.',
  }),
  noise: option.number({
    from: 0,
    to: 0.45,
    words: ['estimated'],
    default: 0,
    about:
      'Probability that an answer is wrong, or `estimated` from the answers that contradict nearly unanimous experts.',
  }),
  balance: option.number({
    from: 0,
    to: 1,
    default: 0,
    about:
      'How far mistakes about rare levels count more: at 0 each sample counts alike, at 1 each level does, at 0.5 the ' +
      'weight of a level falls with the root of how often it was told. Not beside `costs`.',
  }),
  horizon: option.number({
    from: 1,
    to: Number.MAX_SAFE_INTEGER,
    about: 'Number of rounds T to come, for `rate: horizon` only.',
  }),
  blend: option.flag({
    otherwise: 'true; false in edition 1',
    about: 'Adds an expert that blends the confidences of all others.',
  }),
  guard: option.flag({
    otherwise: 'true; false in edition 1',
    about: 'Draws outlying values in before any expert sees them.',
  }),
  hearsRejections: option.flag({
    otherwise: 'true; false in edition 1',
    about: 'Tells monitors of rejections too, and keeps them for refits.',
  }),
  rho: option.number({
    from: 0,
    to: 1,
    default: 0,
    about: 'Expected share ρ of full labels, for `rate: horizon` only.',
  }),
}

/** Options of PB-OEL+, as {@link PB_OEL_PLUS_OPTIONS} declares them. */
export type PbOelPlusOptions = OptionsOf<typeof PB_OEL_PLUS_OPTIONS>

/** The same, checked, with the defaults. */
export type PbOelPlusSettings = SettingsOf<typeof PB_OEL_PLUS_OPTIONS>
