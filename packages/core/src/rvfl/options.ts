import type { LabelledSample } from '../assessor.ts'
import { OptionError } from '../errors.ts'
import { integerIn, numberIn, oneOf, positive } from '../options.ts'
import { checkWarmUp } from '../warm-up.ts'
import type { ConfidenceRule } from './confidence.ts'
import { ARITHMETICS, type Arithmetic, PRECISIONS } from './kernel/create.ts'
import type { Precision } from './kernel/kernel.ts'
import type { RvflBankSettings } from './rvfl-bank.ts'
import type { Scaling } from './scaler.ts'

/** Options of RVFL networks, one or many. Defaults are the paper's. */
export interface RvflOptions {
  /** Number of channels d of a sample, 1 … 10,000. */
  channels: number
  /** Number of levels K, 2 … 255. */
  levels: number
  /** Seed of all randomness, 0 … 2^53 − 1. Default 1. */
  seed?: number
  /** Groups of enhancement nodes N₁, 1 … 1,000. Default 10. */
  groups?: number
  /** Nodes a group N₂, 1 … 1,000. Default 10. */
  nodes?: number
  /** Ridge parameter λ > 0. Default 0.1. */
  ridge?: number
  /** Forgetting factor of the recursive least squares, 0.5 … 1; 1 forgets nothing. Default 1. */
  forgetting?: number
  /** How raw outputs become confidences. Default `clip`. */
  confidence?: ConfidenceRule
  /** How samples are standardised. Default `warm-up` when there is a warm-up set, else `running`. */
  scaling?: Scaling
  /** Labelled samples to start from, such as one of each level. Default none. */
  warmUp?: readonly LabelledSample[]
  /** Recent labelled samples a network is refitted on after drift, 1 … 10,000. Default 50. */
  buffer?: number
  /** Significance of the drift test in (0, 1), or `false` for no test. Default 0.001. */
  drift?: number | false
  /** Target ζ of a rejected level, −10 … 0, or `false` to learn nothing from rejections. Default −0.5. */
  penalty?: number | false
  /** Which kernel computes; `auto` gives the same bits everywhere and is fast where it can be. Default `auto`. */
  arithmetic?: Arithmetic
  /** Numbers of 64 or of 32 bits in the networks: `single` is faster and takes half the memory. Default `double`. */
  precision?: Precision
  /** Threads that update the networks, 1 … 64; the same bits for any number. For large networks in Node. Default 1. */
  threads?: number
}

/** Names of the options, for the check that none is misspelt. */
export const RVFL_OPTIONS: readonly string[] = [
  'channels',
  'levels',
  'seed',
  'groups',
  'nodes',
  'ridge',
  'forgetting',
  'confidence',
  'scaling',
  'warmUp',
  'buffer',
  'drift',
  'penalty',
  'arithmetic',
  'precision',
  'threads',
]

/** Checks the options of a bank of `experts` networks and fills in the defaults. */
export function rvflSettings(options: RvflOptions, experts: number): RvflBankSettings {
  const channels = integerIn('channels', options.channels, 1, 10_000)
  const levels = integerIn('levels', options.levels, 2, 255)
  const warmUp = checkWarmUp(options.warmUp ?? [], channels, levels)
  const scaling = options.scaling ?? (warmUp.length > 0 ? 'warm-up' : 'running')
  if (scaling === 'warm-up' && warmUp.length === 0) {
    throw new OptionError('scaling', scaling, 'possible without a warmUp set; use running or none')
  }
  const { drift = 0.001, penalty = -0.5 } = options
  return {
    experts,
    channels,
    levels,
    warmUp,
    seed: integerIn('seed', options.seed ?? 1, 0, Number.MAX_SAFE_INTEGER),
    groups: integerIn('groups', options.groups ?? 10, 1, 1_000),
    nodes: integerIn('nodes', options.nodes ?? 10, 1, 1_000),
    ridge: positive('ridge', options.ridge ?? 0.1),
    forgetting: numberIn('forgetting', options.forgetting ?? 1, 0.5, 1),
    confidence: oneOf('confidence', options.confidence ?? 'clip', ['clip', 'softmax']),
    scaling: oneOf('scaling', scaling, ['warm-up', 'running', 'none']),
    buffer: integerIn('buffer', options.buffer ?? 50, 1, 10_000),
    drift: drift === false ? false : positive('drift', drift, 1),
    penalty: penalty === false ? false : numberIn('penalty', penalty, -10, 0),
    arithmetic: oneOf('arithmetic', options.arithmetic ?? 'auto', ARITHMETICS),
    precision: oneOf('precision', options.precision ?? 'double', PRECISIONS),
    threads: integerIn('threads', options.threads ?? 1, 1, 64),
  }
}
