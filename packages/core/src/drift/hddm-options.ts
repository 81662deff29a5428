import { numberIn } from '../options/checks.ts'
import { option } from '../options/option.ts'

/** The options that both tests by Hoeffding's bounds have. */
export const HDDM_OPTIONS = {
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
  sides: option.choice(['increase', 'both'], {
    default: 'increase',
    about: '`increase` watches for a rise of the mean only, `both` for a fall too.',
  }),
}

/** The significance of a warning: as given, else 0.005, and never below that of drift. */
export function warningOf({ drift, warning }: { drift: number; warning: number | undefined }): number {
  return numberIn('warning', warning ?? Math.max(drift, 0.005), drift, 1)
}
