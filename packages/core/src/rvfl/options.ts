import { OptionError } from '../errors.ts'
import type { Extensions } from '../method.ts'
import { option } from '../options/option.ts'
import type { SettingsOf } from '../options/option-table.ts'
import { TASK_OPTIONS } from '../options/task-options.ts'
import { checkWarmUp } from '../warm-up.ts'
import { KERNEL_OPTIONS } from './kernel/options.ts'
import { isDetectorChoice, monitoring } from './monitoring.ts'
import type { RvflBankSettings } from './rvfl-bank.ts'

/** The options of RVFL networks, one or many. Defaults are the paper's. */
export const RVFL_OPTIONS = {
  channels: TASK_OPTIONS.channels,
  levels: TASK_OPTIONS.levels,
  seed: TASK_OPTIONS.seed,
  warmUp: TASK_OPTIONS.warmUp,
  groups: option.integer({ from: 1, to: 1000, default: 10, about: 'Groups of enhancement nodes N₁ of a network.' }),
  nodes: option.integer({ from: 1, to: 1000, default: 10, about: 'Nodes N₂ of a group.' }),
  ridge: option.number({ above: 0, default: 0.1, about: 'Ridge parameter λ.' }),
  forgetting: option.number({
    from: 0.5,
    to: 1,
    default: 1,
    about: 'Forgetting factor of the recursive least squares; 1 forgets nothing.',
  }),
  confidence: option.choice(['clip', 'softmax'], {
    default: 'clip',
    about: 'How raw outputs become confidences: cut off at 0 and divided by their sum, or by softmax.',
  }),
  scaling: option.choice(['warm-up', 'running', 'robust', 'none'], {
    otherwise: '`warm-up` where there is a warm-up set, else `running`',
    about:
      'How samples are standardised: by the warm-up set, by everything learned so far, `robust`: so that no single ' +
      'sample can spoil it, or not at all.',
  }),
  buffer: option.integer({
    from: 1,
    to: 10_000,
    default: 50,
    about: 'Recent labelled samples that a network is refitted on after drift.',
  }),
  drift: option.number({
    above: 0,
    to: 1,
    words: [false],
    otherwise: '0.001',
    about: 'Significance of the drift test HDDM_A, or `false` for no test.',
  }),
  detector: option.json('a name of a detector, or { kind, … }', isDetectorChoice, {
    otherwise: '`hddm-a` with the significance `drift`',
    about: 'The detector that watches each network: a name, or its `kind` with its own options.',
  }),
  penalty: option.number({
    from: -10,
    to: 0,
    words: [false],
    default: -0.5,
    about: 'Target ζ of a rejected level, or `false` to learn nothing from rejections.',
  }),
  ...KERNEL_OPTIONS,
}

/** What an owner of networks decides beyond the options. */
interface RvflPlan {
  readonly extensions?: Extensions
  /** Whether `robust` scaling adds no floor to deviations, as from edition 2 on. */
  readonly relative?: boolean
  /** See {@link RvflBankSettings}. */
  readonly hearsRejections?: boolean
  /** The scaling where the caller names none. */
  readonly otherwise?: 'robust'
}

/**
 * What a bank of networks is made from.
 *
 * @param settings options that were read with a table that contains {@link RVFL_OPTIONS}
 * @param networks how many there are
 */
export function rvflSettings(
  settings: SettingsOf<typeof RVFL_OPTIONS>,
  networks: number,
  { extensions, relative, otherwise, hearsRejections }: RvflPlan = {},
): RvflBankSettings {
  const { channels, levels } = settings
  const warmUp = checkWarmUp(settings.warmUp, channels, levels)
  const { scaling = otherwise ?? (warmUp.length > 0 ? 'warm-up' : 'running') } = settings
  if (scaling === 'warm-up' && warmUp.length === 0) {
    throw new OptionError('scaling', scaling, 'running, robust or none where there is no warmUp set')
  }
  return {
    ...settings,
    networks,
    hearsRejections,
    warmUp,
    scaling: scaling === 'robust' && relative ? 'relative' : scaling,
    monitor: monitoring(settings.drift, settings.detector, extensions),
  }
}
