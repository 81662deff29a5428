import { type Static, Type } from '@sinclair/typebox'
import { SystemId } from './configuration.ts'
import { milliseconds, moment, name, strict } from './field.ts'
import { readMoment } from './moment.ts'
import { reader } from './reader.ts'
import { currentRole, ROLES } from './role.ts'
import { word } from './word.ts'

/** A token as a caller wants it. */
export const NewToken = Type.Object(
  {
    name: name('who uses it; stands in the log beside everything they do'),
    roles: Type.Array(word(ROLES), {
      minItems: 1,
      maxItems: 4,
      description: '`expert`, the former name of `reviewer`, is still taken',
    }),
    expires: Type.Optional(moment('when it ends by itself')),
    systems: Type.Optional(
      Type.Array(Type.Union([SystemId, Type.Literal('*')]), {
        minItems: 1,
        maxItems: 1000,
        description: 'which it may touch; all when left out',
      }),
    ),
  },
  strict,
)

/** A token that was checked: its moment is a number. */
export type NewToken = Omit<Static<typeof NewToken>, 'expires'> & { expires?: number }

/** A token without its secret. */
export const Token = Type.Object({
  id: Type.String(),
  name: Type.String(),
  roles: Type.Array(word(ROLES)),
  systems: Type.Array(Type.String()),
  created: milliseconds('when'),
  createdBy: Type.String(),
  expires: Type.Optional(milliseconds('when it ends by itself')),
})
export type Token = Static<typeof Token>

/** All tokens. */
export const TokenList = Type.Object({ tokens: Type.Array(Token) })
export type TokenList = Static<typeof TokenList>

/** A token just made. */
export const TokenReceipt = Type.Object({
  id: Type.String(),
  token: Type.String({ description: 'keep it: it is not shown again' }),
})
export type TokenReceipt = Static<typeof TokenReceipt>

/** How a token is replaced by a new one. */
export const TokenRotation = Type.Object(
  {
    graceSeconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2_592_000, description: 'the former one still works so long; default 0' }),
    ),
  },
  strict,
)
export type TokenRotation = Static<typeof TokenRotation>

/** Who asks. */
export const Caller = Type.Object({
  name: Type.String(),
  roles: Type.Array(word(ROLES)),
  systems: Type.Array(Type.String()),
  open: Type.Boolean({ description: 'true on a local server without tokens' }),
})
export type Caller = Static<typeof Caller>

const readGiven = reader(NewToken, 'body')

/** Checks a token that a caller wants. Takes `expert`, the former name of the role `reviewer`. */
export function readNewToken(value: unknown): NewToken {
  const { expires, ...rest } = readGiven(withCurrentRoles(value))
  return expires === undefined ? rest : { ...rest, expires: readMoment(expires, 'body/expires') }
}

/** The value with the present names of its roles, where it has roles. */
export function withCurrentRoles<T>(value: T): T {
  const { roles } = (value ?? {}) as { roles?: unknown }
  if (!Array.isArray(roles)) return value
  return { ...value, roles: roles.map((role) => (typeof role === 'string' ? currentRole(role) : role)) }
}
