import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServerClock } from '../clock/server-clock.ts'
import { ServiceError } from '../errors.ts'
import { GuessLimit } from './guess-limit.ts'
import { allows, type Permission, type Principal } from './roles.ts'
import type { Tickets } from './tickets.ts'
import type { Tokens } from './tokens.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route needs; every route must say so. */
    permission?: Permission
    /** The route shows or changes more than one system: only callers who may see all systems may use it. */
    allSystems?: boolean
    /** The route also takes a ticket in the query instead of a token. */
    takesTickets?: boolean
    /** The route also takes a token the way clients of InfluxDB send it. */
    takesInfluxTokens?: boolean
  }
  interface FastifyRequest {
    /** Who asks. */
    principal: Principal
  }
}

/** The user of a server without tokens on their own machine. */
const LOCAL: Principal = { name: 'local', roles: ['admin'], systems: ['*'] }
const NOBODY: Principal = { name: 'nobody', roles: [], systems: [] }

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]', '::1'])

/** Whether a host is this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host)
}

/** What the guard knows. */
export interface GuardOptions {
  tokens: Tokens
  tickets: Tickets
  time: ServerClock
  /** Origins of other pages that may use the API. */
  origins: readonly string[]
  /** The bridge of another worker of the cluster that a request comes from. */
  bridgeOf?: (request: FastifyRequest) => string | undefined
}

/**
 * Checks every request before its body is read: who asks, and whether they may.
 *
 * Without any token the server is open, which it is only on loopback. Then a page of another site open in a browser
 * on the same machine must not reach it, so the host must be a loopback name and the origin, if any, our own.
 */
export function guard(app: FastifyInstance, options: GuardOptions): void {
  const { tokens, time, origins, bridgeOf } = options
  const guesses = new GuessLimit(() => time.clock.monotonic())
  app.decorateRequest('principal', null as unknown as Principal)

  app.addHook('onRoute', ({ url, config }) => {
    if (!config?.permission) throw new Error(`route ${url} does not say which permission it needs`)
  })

  app.addHook('onRequest', async (request, reply) => {
    const { permission = 'public', allSystems = false } = request.routeOptions.config
    const bridge = bridgeOf?.(request)
    request.principal =
      bridge !== undefined
        ? { name: bridge, bridge: true as const, roles: ['sensor', 'reviewer'] as const, systems: ['*'] }
        : tokens.size === 0
          ? localPrincipal(request, origins)
          : tokenPrincipal(request, permission, { ...options, guesses })
    const { id } = (request.params ?? {}) as { id?: string }
    const system = allSystems ? '*' : request.routeOptions.url?.startsWith('/v1/systems/:id') ? id : undefined
    if (!allows(request.principal, permission, system)) {
      throw new ServiceError(403, 'Forbidden', `${request.principal.name} may not do this`)
    }
    // What has no end of its own ends with the right to it. A short answer that is due still goes out.
    const stop = tokens.watch(request.principal, time.now(), () => {
      const { complete, readableEnded, socket } = request.raw
      if (reply.raw.headersSent || !(complete || readableEnded)) socket.destroy()
    })
    reply.raw.once('finish', stop).once('close', stop)
  })
}

function localPrincipal(request: FastifyRequest, origins: readonly string[]): Principal {
  const { host = '', origin } = request.headers
  const name = host.replace(/:\d+$/, '')
  if (!isLoopback(name))
    throw new ServiceError(403, 'Forbidden', 'a server without tokens answers to loopback names only')
  const own = origin === undefined || origin.replace(/^https?:\/\//, '') === host
  if (!own && !origins.includes(origin)) {
    throw new ServiceError(403, 'Forbidden', 'a server without tokens answers to its own pages only')
  }
  return LOCAL
}

/**
 * The token of a request. Clients of InfluxDB send `Token …`, or as version 1 has it a name and the token as password.
 */
function tokenOf({ headers, routeOptions }: FastifyRequest): string | undefined {
  const [scheme, text] = (headers.authorization ?? '').split(' ')
  const word = scheme.toLowerCase()
  if (text === undefined || word === 'bearer') return text
  if (!routeOptions.config.takesInfluxTokens) return undefined
  if (word === 'token') return text.split(':').at(-1)
  return word === 'basic' ? Buffer.from(text, 'base64').toString().split(':').slice(1).join(':') : undefined
}

function tokenPrincipal(
  request: FastifyRequest,
  permission: Permission,
  { tokens, tickets, guesses, time }: GuardOptions & { guesses: GuessLimit },
): Principal {
  const text = tokenOf(request)
  if (text === undefined) {
    const { ticket } = request.query as { ticket?: unknown }
    if (request.routeOptions.config.takesTickets && typeof ticket === 'string') {
      const holder = tickets.verify(ticket, time.now())
      if (holder) return holder
      throw new ServiceError(401, 'Unauthorized', 'this ticket is not valid any more: ask for a new one')
    }
    if (permission === 'public') return NOBODY
    throw new ServiceError(401, 'Unauthorized', 'this needs a bearer token')
  }
  // A valid token is never refused for the wrong ones of others behind the same address.
  const principal = tokens.verify(text, time.now())
  if (principal) return principal
  const wait = guesses.wait(request.ip)
  if (wait > 0) throw new ServiceError(429, 'Too many requests', `too many wrong tokens; try again in ${wait} s`, wait)
  guesses.wrong(request.ip)
  throw new ServiceError(401, 'Unauthorized', 'this token is not valid')
}
