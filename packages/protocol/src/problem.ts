import { type Static, Type } from '@sinclair/typebox'

/** An error as the API tells it (RFC 9457). */
export const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    index: Type.Optional(Type.Integer({ description: 'place of the entry, from 0, in an answer to a list' })),
    line: Type.Optional(Type.Integer({ description: 'number of the line, in an answer to a stream of lines' })),
  },
  { description: 'a problem document, RFC 9457' },
)
export type Problem = Static<typeof Problem>
