import { assessmentNumber, readMoment, SystemId } from '@pb-oel/protocol'
import { Type } from '@sinclair/typebox'

/** What addresses and queries hold, beside what bodies hold. */

/** The system in an address. */
export const SystemParams = Type.Object({ id: SystemId })

/** The system and the assessment in an address. */
export const AssessmentParams = Type.Object({ id: SystemId, assessment: assessmentNumber })

/** A whole number in a query, where it arrives as text. */
export const integerQuery = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }))

/** A moment of a query in milliseconds, where there is one. */
export function momentOf(given: number | string | undefined, where: string): number | undefined {
  return given === undefined ? undefined : readMoment(given, where)
}
