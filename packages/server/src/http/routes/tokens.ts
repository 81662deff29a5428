import { Caller, NewToken, readNewToken, TokenList, TokenReceipt, TokenRotation } from '@pb-oel/protocol'
import { Type } from '@sinclair/typebox'
import { requestCheck } from '../body-check.ts'
import { type App, author, type Context } from '../context.ts'

/** Tokens: who may do what; and who one is. */
export function tokenRoutes(app: App, context: Context): void {
  lookRoutes(app, context)
  changeRoutes(app, context)
}

function lookRoutes(app: App, { tokens }: Context): void {
  app.get('/v1/me', {
    config: { permission: 'public' },
    schema: {
      operationId: 'whoAmI',
      summary: 'Name, roles and systems of the caller; open is true on a local server without tokens',
      response: { 200: Caller },
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
      response: { 200: TokenList },
    },
    handler: async () => ({ tokens: tokens.list().map(({ sha256: _, ...token }) => token) }),
  })
}

function changeRoutes(app: App, { tokens, service }: Context): void {
  app.post('/v1/tokens', {
    config: { permission: 'admin', allSystems: true },
    validatorCompiler: requestCheck(readNewToken),
    schema: {
      operationId: 'createToken',
      summary: 'Make a token; its text is shown this once',
      body: NewToken,
      response: { 201: TokenReceipt },
    },
    handler: async (request, reply) => {
      const { name, roles, systems = ['*'], expires } = request.body as NewToken
      const { id, text } = await tokens.create({ name, roles, systems, expires }, author(request), service.clock())
      reply.code(201).header('cache-control', 'no-store')
      return { id, token: text }
    },
  })

  app.post('/v1/tokens/:token/rotate', {
    config: { permission: 'admin', allSystems: true },
    schema: {
      operationId: 'rotateToken',
      summary: 'Make a token with the rights of another one, which ends at once or after a while',
      params: Type.Object({ token: Type.String({ pattern: '^[0-9a-f]{12}$' }) }),
      body: TokenRotation,
      response: { 201: TokenReceipt },
    },
    handler: async (request, reply) => {
      const { graceSeconds = 0 } = request.body
      const { token } = request.params
      const { id, text } = await tokens.rotate(token, graceSeconds * 1000, author(request), service.clock())
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
