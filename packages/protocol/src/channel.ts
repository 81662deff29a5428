import { type Static, Type } from '@sinclair/typebox'
import { ChannelRange } from './configuration.ts'
import { by, level, name, strict } from './field.ts'

const given = {
  name: name('channel'),
  usual: Type.Number({ description: 'value that stands for it in samples from before it was there' }),
  unit: Type.Optional(name('unit')),
  range: Type.Optional(ChannelRange),
}

/** A channel that a system is to have from now on. */
export const NewChannel = Type.Object(given, strict)
export type NewChannel = Static<typeof NewChannel>

/** A channel that was added, with everything that the wider model began with. */
export const AddedChannel = Type.Object({
  ...given,
  warmUp: Type.Array(Type.Object({ x: Type.Array(Type.Number()), level }), {
    description: 'answered samples of before, each with the usual value in the new channel, oldest first',
  }),
  by,
})
export type AddedChannel = Static<typeof AddedChannel>
