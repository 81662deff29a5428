import { Type } from '@sinclair/typebox'
import { share } from './field.ts'
import { count, figure, output } from './output-field.ts'

const certificate = {
  ...{ samples: count('in all'), checks: count('samples that were checked'), wrong: count('checks with a mistake') },
  confidence: share('probability with which the statement is true'),
  certified: share('accuracy over all samples, at least'),
  target: Type.Optional(share('accuracy that is wanted')),
  moreChecks: Type.Optional(figure('checks that the target still needs; null when none suffice')),
}

const replayed = Type.Object({
  ...{ system: Type.String(), from: count('first record'), to: count('last record') },
  assessments: count('compared bit for bit'),
  difference: Type.Optional(
    Type.Object({ sequence: count('record'), message: Type.String() }, { description: 'the first, if there is one' }),
  ),
  stateHash: Type.Optional(Type.String({ description: 'SHA-256 of the state; absent with a difference' })),
  state: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'with --at' })),
})

const compared = Type.Object({
  ...{ system: Type.String(), method: Type.String(), samples: count('that both models have seen') },
  excluded: count('samples that the recorded model was made to forget; the other one has not seen them'),
  agreement: count('samples with the same level'),
  comparable: count('answers about both models'),
  undecided: count('answers about the recorded model only'),
  ...{ recordedAccuracy: figure('by these answers'), whatIfAccuracy: figure('by these answers') },
})

/** What the commands about stores print. */
export const StoreOutputs = {
  certify: Type.Union(
    [
      output({ systems: Type.Array(Type.Object({ system: Type.String(), ...certificate })) }, 'of a store'),
      output(certificate, 'of a file of checks'),
    ],
    { description: 'pb-oel certify' },
  ),
  replay: Type.Union(
    [
      output({ systems: Type.Array(replayed) }, 'the log as it is'),
      output({ systems: Type.Array(compared) }, 'with --what-if or --set'),
    ],
    { description: 'pb-oel replay' },
  ),
} as const
