import { type Static, Type } from '@sinclair/typebox'
import { by, name, strict } from './field.ts'

const given = { name: name('level, less safe than all others') }

/** A level that a system is to have from now on, behind the others. */
export const NewLevel = Type.Object(given, strict)
export type NewLevel = Static<typeof NewLevel>

/** A level that was added. */
export const AddedLevel = Type.Object({ ...given, by })
export type AddedLevel = Static<typeof AddedLevel>
