import { type Static, Type } from '@sinclair/typebox'
import { assessmentNumber, by, milliseconds, name, sequence, strict } from './field.ts'

const from = Type.Integer({ ...assessmentNumber, description: 'assessment of the first excluded sample' })
const to = Type.Integer({ ...assessmentNumber, description: 'assessment of the last excluded sample' })
const why = name('why, such as what was wrong with the sensor')

/** Samples that the model is to forget, as callers say it: by `from`, or by `afterRecord`. */
export const GivenExclusion = Type.Object(
  {
    from: Type.Optional(from),
    to: Type.Optional(Type.Integer({ ...to, description: `${to.description}; left out: \`from\` alone is excluded` })),
    afterRecord: Type.Optional(
      Type.Integer({
        ...sequence,
        description: 'go on from this record of the log: every sample behind it is excluded, up to the latest',
      }),
    ),
    why,
    by: Type.Optional(name('who; counts only on a server without tokens')),
  },
  strict,
)
export type GivenExclusion = Static<typeof GivenExclusion>

/** Samples that the model has forgotten, as the log holds it. */
export const ExclusionBody = Type.Object({
  from,
  to,
  first: Type.Integer({ ...sequence, description: 'number of the record of the first excluded sample' }),
  why,
  by,
})
export type ExclusionBody = Static<typeof ExclusionBody>

/** Says that an exclusion is on disk. */
export const Exclusion = Type.Object({ ...ExclusionBody.properties, sequence, time: milliseconds('arrival') })
export type Exclusion = Static<typeof Exclusion>
