import { type Static, Type } from '@sinclair/typebox'
import { level, milliseconds, share } from './field.ts'
import { word } from './word.ts'

/** What one channel has to do with a level. */
export const ChannelReason = Type.Object({
  channel: Type.String({ description: 'name of the channel' }),
  contribution: Type.Number({
    description:
      'what it adds to the lead of `level` over `against`: its Shapley value, −2 … 2; below 0 it speaks against',
  }),
  share: share('its part of everything that speaks for the level'),
  value: Type.Number({ description: 'mean over the window' }),
  usual: Type.Number({ description: 'median over the reference' }),
})
export type ChannelReason = Static<typeof ChannelReason>

const stretch = (description: string) =>
  Type.Object(
    {
      from: milliseconds('first sample'),
      to: milliseconds('last sample'),
      samples: Type.Integer({ description: 'how many were looked at' }),
    },
    { description },
  )

/** Why a system has its level: the channels ranked by what they contribute. */
export const Explanation = Type.Object({
  level: Type.Integer({ ...level, description: 'the level that is explained: the likely one of the window' }),
  against: Type.Integer({ ...level, description: 'the level it is compared with' }),
  window: stretch('the samples that are explained'),
  reference: stretch('the samples they are compared with'),
  compared: word(
    ['other-level', 'recent'],
    'the reference holds samples assessed as `against`; or, where there are too few, any recent ones',
  ),
  model: word(['present', 'then'], 'which model explains: the present one, or the one of that moment'),
  lead: Type.Number({ description: 'probability of `level` less that of `against` in the window' }),
  referenceLead: Type.Number({ description: 'the same in the reference' }),
  channels: Type.Array(ChannelReason, { description: 'the one that contributes most first' }),
})
export type Explanation = Static<typeof Explanation>
