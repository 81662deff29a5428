import type { App } from './context.ts'

const METHODS = 'GET, HEAD, POST, PATCH, DELETE'
const REQUEST_HEADERS = 'authorization, content-type, last-event-id'
const ANSWER_HEADERS = 'location, retry-after, allow'
/** Seconds that a browser may remember the answer to its question before a request. */
const REMEMBERED = 600

/**
 * Lets the pages of other origins use the API: those of the list, and no others. Tokens go in a header that pages set
 * themselves, so credentials of the browser are not needed and not allowed.
 */
export function allowOrigins(app: App, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.addHook('onRequest', async (request, reply) => {
    // Caches must not give the answer for one origin to another.
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !origins.includes(origin)) return
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': ANSWER_HEADERS })
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return
    reply.headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': String(REMEMBERED),
    })
    return reply.code(204).send()
  })
}
