import { option } from '../options/option.ts'

/** Significance of drift and of a warning, as both HDDM detectors have it. */
export const SIGNIFICANCE_OPTIONS = {
  drift: option.number({
    above: 0,
    to: 1,
    default: 0.001,
    about: 'Significance of drift; smaller is less sensitive.',
  }),
  warning: option.number({
    above: 0,
    to: 1,
    otherwise: '0.005, or `drift` where that is more',
    about: 'Significance of a warning, at least `drift`.',
  }),
}

/** Which changes of the mean a detector watches for. */
export const SIDES = option.choice(['increase', 'both'], {
  default: 'increase',
  about: '`increase` watches for a rise of the mean only, `both` for a fall too.',
})
