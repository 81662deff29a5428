import { type Static, Type } from '@sinclair/typebox'
import { assessmentNumber, by, milliseconds, name, sequence, strict } from './field.ts'

const assessment = Type.Optional(
  Type.Integer({ ...assessmentNumber, description: 'the question; left out: all questions of the system' }),
)
const to = (description: string) => Type.Union([name('who'), Type.Null()], { description })

/** Who shall answer, as callers send it. */
export const GivenAssignment = Type.Object(
  {
    assessment,
    to: to('the name of a reviewer as it stands in the log; null: anybody'),
    by: Type.Optional(name('who assigns; counts only on a server without tokens')),
  },
  { ...strict, description: 'who shall answer a question, or the questions of a system' },
)
export type GivenAssignment = Static<typeof GivenAssignment>

/** Who shall answer, as the log holds it. */
export const AssignmentBody = Type.Object({ assessment, to: to('who shall answer; null: anybody'), by })
export type AssignmentBody = Static<typeof AssignmentBody>

/** Says that an assignment is on disk. */
export const Assignment = Type.Object({ ...AssignmentBody.properties, sequence, time: milliseconds('arrival') })
export type Assignment = Static<typeof Assignment>
