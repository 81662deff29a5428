import { Type } from '@sinclair/typebox'
import { ROLES } from '../../auth/roles.ts'
import { type App, author, type Context } from '../context.ts'
import { NewTokenSchema, TokenSchema, word } from '../schemas.ts'

/** Tokens: who may do what; and who one is. */
export function tokenRoutes(app: App, { tokens, service }: Context): void {
  app.get('/v1/me', {
    config: { permission: 'public' },
    schema: {
      operationId: 'whoAmI',
      summary: 'Name, roles and systems of the caller; open is true on a local server without tokens',
      response: {
        200: Type.Object({
          name: Type.String(),
          roles: Type.Array(word(ROLES)),
          systems: Type.Array(Type.String()),
          open: Type.Boolean(),
        }),
      },
    },
    handler: async ({ principal: { name, roles, systems } }) => ({
      name,
      roles: [...roles],
      systems: [...systems],
      open: tokens.size === 0,
    }),
  })

  app.get('/v1/tokens', {
    config: { permission: 'admin', allSystems: true },
    schema: {
      operationId: 'listTokens',
      summary: 'All tokens, without their secrets',
      response: { 200: Type.Object({ tokens: Type.Array(TokenSchema) }) },
    },
    handler: async () => {
      return {
        tokens: tokens.list().map((token) => ({ ...token, roles: [...token.roles], systems: [...token.systems] })),
      }
    },
  })

  app.post('/v1/tokens', {
    config: { permission: 'admin', allSystems: true },
    schema: {
      operationId: 'createToken',
      summary: 'Make a token; its text is shown this once',
      body: NewTokenSchema,
      response: {
        201: Type.Object({ id: Type.String(), token: Type.String({ description: 'keep it: it is not shown again' }) }),
      },
    },
    handler: async (request, reply) => {
      const { name, roles, systems = ['*'] } = request.body
      const { id, text } = await tokens.create({ name, roles, systems }, author(request), service.clock())
      reply.code(201).header('cache-control', 'no-store')
      return { id, token: text }
    },
  })

  app.delete('/v1/tokens/:token', {
    config: { permission: 'admin', allSystems: true },
    schema: {
      operationId: 'revokeToken',
      summary: 'End a token at once',
      params: Type.Object({ token: Type.String({ pattern: '^[0-9a-f]{12}$' }) }),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await tokens.revoke(request.params.token, author(request), service.clock())
      return reply.code(204).send(null)
    },
  })
}
