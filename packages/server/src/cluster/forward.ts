import http from 'node:http'
import https from 'node:https'
import { pipeline } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { deadline, systemClock } from '../clock/clock.ts'
import { NotReady, Unconfirmed } from '../errors.ts'

/** Tells workers that a request comes from another one; its content is a secret of the cluster. */
export const HOP_HEADER = 'x-pb-oel-hop'

/** Names the bridge of another worker that a request comes from; believed only beside {@link HOP_HEADER}. */
export const BRIDGE_HEADER = 'x-pb-oel-bridge'

const AGENTS = {
  'http:': new http.Agent({ keepAlive: true, maxSockets: 256 }),
  'https:': new https.Agent({ keepAlive: true, maxSockets: 256 }),
}

/** Headers that belong to one connection, or that would make the other side refuse or believe what was checked here. */
const OWN = new Set([BRIDGE_HEADER, 'connection', 'keep-alive', 'host', 'origin', 'expect', 'upgrade', 'te', 'trailer'])

/**
 * Passes a request on to another worker and its answer back, both as they come: lines and events stream through.
 *
 * @param body sent instead of the request's own, which was read already
 */
export async function forward(
  request: FastifyRequest,
  reply: FastifyReply,
  base: string,
  secret: string,
  body?: string,
): Promise<void> {
  const target = new URL(request.raw.url ?? '/', base)
  const headers: http.OutgoingHttpHeaders = { [HOP_HEADER]: secret, 'x-forwarded-for': request.ip }
  for (const [name, value] of Object.entries(request.headers)) if (!OWN.has(name)) headers[name] ??= value
  if (body !== undefined) {
    delete headers['transfer-encoding']
    headers['content-length'] = Buffer.byteLength(body)
  }
  const { protocol } = target
  const upstream = (protocol === 'https:' ? https : http).request(target, {
    method: request.method,
    headers,
    agent: AGENTS[protocol as keyof typeof AGENTS],
  })
  reply.raw.once('close', () => upstream.destroy())
  const answer = new Promise<http.IncomingMessage>((done, fail) => {
    upstream.once('response', done)
    upstream.once('error', fail)
  })
  if (body !== undefined) upstream.end(body)
  else request.raw.pipe(upstream)
  let response: http.IncomingMessage
  try {
    response = await answer
  } catch (error) {
    throw unanswered(request.method, error as NodeJS.ErrnoException)
  }
  const { statusCode = 502 } = response
  const back = Object.entries(response.headers).filter(([name]) => !OWN.has(name) && name !== 'transfer-encoding')
  // From here on the answer is the other worker's, to its end or to where it breaks off.
  reply.hijack()
  reply.raw.writeHead(statusCode, Object.fromEntries(back))
  // Events may be far apart; the head must not wait for the first.
  reply.raw.flushHeaders()
  pipeline(response, reply.raw, () => upstream.destroy())
}

/** A worker that hangs up on a change may have made it. Nothing has happened where nobody listened. */
function unanswered(method: string, { code, message }: NodeJS.ErrnoException): Error {
  const detail = `the worker that has this system cannot be reached (${message})`
  const harmless = method === 'GET' || method === 'HEAD' || code === 'ECONNREFUSED'
  return harmless ? new NotReady(detail) : new Unconfirmed(detail)
}

/** What another worker is asked. */
interface Asked {
  method: string
  /** JSON. */
  body?: string
  authorization?: string
}

/** The JSON that another worker answers with; `undefined` when no answer comes in time. */
export async function ask<T>(
  base: string,
  path: string,
  secret: string,
  { method, body, authorization }: Asked,
): Promise<T | undefined> {
  try {
    const response = await fetch(new URL(path, base), {
      ...{ method, body },
      headers: {
        [HOP_HEADER]: secret,
        ...(authorization && { authorization }),
        ...(body && { 'content-type': 'application/json' }),
      },
      signal: deadline(systemClock, 2_000),
    })
    return response.ok ? ((await response.json()) as T) : undefined
  } catch {
    return undefined
  }
}
