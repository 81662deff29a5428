import type { FastifyRequest } from 'fastify'
import { ask } from '../cluster/forward.ts'
import { isHop } from '../cluster/routing.ts'
import type { Context } from './context.ts'

/** What the other workers of a cluster answer to the same request; one that does not answer is left out. */
export async function askOthers<T>(request: FastifyRequest, cluster: Context['cluster']): Promise<T[]> {
  if (!cluster || isHop(request, cluster.secret)) return []
  const { method, body, url: path } = request
  const { authorization } = request.headers
  const same = { method, ...(body !== undefined && { body: JSON.stringify(body) }), authorization }
  const asked = cluster.node.others.map((url) => ask<T>(url, path, cluster.secret, same))
  return (await Promise.all(asked)).filter((answer) => answer !== undefined) as T[]
}
