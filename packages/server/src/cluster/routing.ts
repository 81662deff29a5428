import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NotReady } from '../errors.ts'
import type { ClusterNode } from './cluster-node.ts'
import { BRIDGE_HEADER, forward, HOP_HEADER } from './forward.ts'

/** Whether a request comes from another worker of the cluster. */
export function isHop(request: FastifyRequest, secret: string): boolean {
  const given = request.headers[HOP_HEADER]
  if (typeof given !== 'string' || given.length !== secret.length) return false
  return timingSafeEqual(Buffer.from(given), Buffer.from(secret))
}

/** The bridge of another worker that a request comes from. */
export function bridgeOf(request: FastifyRequest, secret: string): string | undefined {
  const name = request.headers[BRIDGE_HEADER]
  return typeof name === 'string' && isHop(request, secret) ? name : undefined
}

/** Routes that make a system. Its name is in the body only; a clone is made where the clone will be. */
const NAMED_IN_BODY = ['/v1/systems', '/v1/systems/:id/clone']

/**
 * Sends requests about a system to the worker that has it, after the caller's rights were checked here. A request that
 * was passed on before and finds no owner is answered with 503: the next look at the leases finds one.
 *
 * @param systemElsewhere the system of a request whose address does not begin with it
 */
export function routeToOwners(
  app: FastifyInstance,
  cluster: ClusterNode,
  secret: string,
  systemElsewhere: (request: FastifyRequest) => string | undefined,
): void {
  const route = async (request: FastifyRequest, reply: FastifyReply, id: string, body?: string) => {
    const location = cluster.locate(id)
    if (location === 'here') return
    if (location === undefined || isHop(request, secret)) {
      cluster.lookAgain()
      throw new NotReady(`no worker has system ${id} at this moment`)
    }
    try {
      await forward(request, reply, location.url, secret, body)
    } catch (error) {
      cluster.lookAgain()
      throw error
    }
  }

  app.addHook('onRequest', async (request, reply) => {
    if (NAMED_IN_BODY.includes(request.routeOptions.url ?? '')) return
    const own = request.routeOptions.url?.startsWith('/v1/systems/:id')
    const id = own ? (request.params as { id: string }).id : systemElsewhere(request)
    if (id !== undefined) return route(request, reply, id)
  })

  app.addHook('preHandler', async (request, reply) => {
    if (!NAMED_IN_BODY.includes(request.routeOptions.url ?? '') || request.method !== 'POST') return
    return route(request, reply, (request.body as { id: string }).id, JSON.stringify(request.body))
  })
}
