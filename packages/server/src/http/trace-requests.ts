import type { FastifyRequest } from 'fastify'
import { newSpanId, newTraceId, parentOf, type Telemetry, type TraceContext } from '../telemetry/telemetry.ts'
import type { App } from './context.ts'

/** What is measured of itself, by whoever measures. */
const QUIET = ['/healthz', '/readyz', '/metrics']

/** A span for every request, as a child of the caller's where the caller has one. */
export function traceRequests(app: App, telemetry: Telemetry): void {
  const contexts = new WeakMap<FastifyRequest, TraceContext & { parent?: string }>()
  app.addHook('onRequest', async (request) => {
    const parent = parentOf(request.headers.traceparent)
    const context = { traceId: parent?.traceId ?? newTraceId(), spanId: newSpanId() }
    contexts.set(request, { ...context, parent: parent?.spanId })
    request.log = request.log.child(context)
    // A request that is passed on to another worker goes on in the same trace.
    request.headers.traceparent = `00-${context.traceId}-${context.spanId}-01`
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, url, ip, principal } = request
    const route = request.routeOptions.url
    if (route !== undefined && QUIET.includes(route)) return
    const { id } = (request.params ?? {}) as { id?: string }
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': reply.statusCode,
      'url.path': url.split('?')[0],
      'client.address': ip,
      'user.name': principal?.name,
      'pb_oel.system': id,
    }
    const name = route === undefined ? method : `${method} ${route}`
    const failed = reply.statusCode >= 500
    telemetry.span({ name, kind: 'server', attributes, failed }, reply.elapsedTime, contexts.get(request))
  })
}
