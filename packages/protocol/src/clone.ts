import { type Static, Type } from '@sinclair/typebox'
import { SystemId } from './configuration.ts'
import { name, strict } from './field.ts'

/** How a system is cloned. */
export const NewClone = Type.Object(
  {
    id: SystemId,
    title: Type.Optional(name('name for people; that of the original when left out')),
    state: Type.Optional(
      Type.Boolean({ description: 'true: with everything that was learned; false, the default: configuration only' }),
    ),
  },
  strict,
)
export type NewClone = Static<typeof NewClone>

/** What a deletion removed. */
export const DeletionReceipt = Type.Object({
  system: Type.String(),
  records: Type.Integer({ description: 'how many records were removed' }),
})
export type DeletionReceipt = Static<typeof DeletionReceipt>
