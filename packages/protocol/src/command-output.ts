import { type TSchema, Type } from '@sinclair/typebox'
import { share } from './field.ts'
import { count, figure, machine, output } from './output-field.ts'
import { LabOutputs } from './output-lab.ts'
import { StoreOutputs } from './output-store.ts'

export { OUTPUT_VERSION } from './output-field.ts'

const bound = Type.Object({
  applies: Type.Boolean({ description: 'whether the assumptions of the theorem hold' }),
  reason: Type.Optional(Type.String({ description: 'why not' })),
  value: figure('accuracy that is promised at least'),
  ultimate: figure('accuracy of the best expert of each batch'),
  regret: figure('how much better the best expert was'),
  bestExpert: figure('accuracy of the best single expert'),
})

const run = Type.Object({
  seed: Type.Integer(),
  accuracy: share('of samples that were right'),
  macroF1: share('mean of the F1 scores of the levels'),
  kappa: Type.Number(),
  kappaTemporal: Type.Number(),
  misses: count('assessed safer than it was'),
  falseAlarms: count('assessed less safe than it was'),
  labels: count('full labels that were given'),
  drifts: count('changes that detectors signalled'),
  bound,
  samplesPerSecond: Type.Number(),
})

const channelInfo = Type.Object({
  name: Type.String(),
  unit: Type.Optional(Type.String()),
  ...{ min: figure('smallest value'), max: figure('largest value'), mean: figure('mean'), std: figure('deviation') },
  missing: count('values that are missing'),
})

const timeInfo = Type.Object({
  ...{ first: Type.Number(), last: Type.Number() },
  interval: Type.Number({ description: 'milliseconds between two samples, the median' }),
  gaps: count('intervals of more than 2.5 times that'),
  ...{ longestGap: Type.Number(), longestGapAt: Type.Number() },
})

/** The JSON schemas of what commands print with `--json`, by the words of the command. Other fields may be added. */
export const CommandOutputs = {
  run: output(
    {
      ...{ stream: Type.String(), method: Type.String() },
      rho: share('of samples with a full label'),
      samples: count('of the stream'),
      runs: Type.Array(run, { minItems: 1 }),
      ...{ mean: Type.Number({ description: 'of the accuracies' }), std: Type.Number() },
    },
    'pb-oel run',
  ),
  ...LabOutputs,
  ...StoreOutputs,
  'data list': Type.Array(
    Type.Object({ name: Type.String(), summary: Type.String(), settings: Type.Optional(Type.Array(Type.String())) }),
    { description: 'pb-oel data list; a list has no version' },
  ),
  'data get': output(
    {
      ...{ path: Type.String(), sha256: Type.String() },
      downloaded: Type.Boolean({ description: 'false when it was there already' }),
    },
    'pb-oel data get',
  ),
  'data info': output(
    {
      name: Type.String(),
      samples: count('of the stream'),
      channels: Type.Array(channelInfo),
      levels: Type.Array(Type.Object({ name: Type.String(), count: count('samples of this level') })),
      time: Type.Optional(timeInfo),
      missing: count('values of all channels that are missing'),
      noChange: share('of samples whose level is that of the sample before'),
      majority: share('of the most frequent level'),
      warnings: Type.Array(Type.String()),
    },
    'pb-oel data info',
  ),
  import: output(
    {
      system: Type.String(),
      created: Type.Boolean({ description: 'whether the system was made' }),
      rows: count('of the history'),
      resumedAt: count('rows that were there already'),
      imported: count('rows that were written'),
      labels: count('labels among them'),
      stateHash: Type.Optional(Type.String({ description: 'SHA-256 of the state' })),
      seconds: Type.Number(),
    },
    'pb-oel import',
  ),
  robustness: output(
    {
      command: Type.String(),
      machine,
      rows: Type.Array(
        Type.Object({
          title: Type.String(),
          stream: Type.String(),
          cells: Type.Array(
            Type.Object({ method: Type.String(), accuracy: share('right'), macroF1: share('mean of F1 scores') }),
          ),
        }),
      ),
    },
    'pb-oel robustness',
  ),
} as const satisfies Record<string, TSchema>

/** The name of a document whose form is published. */
export type CommandOutputName = keyof typeof CommandOutputs
