import { EventTicket, KindsQuery, type RecordKind, sequence, USUAL_EVENTS } from '@pb-oel/protocol'
import { Type } from '@sinclair/typebox'
import type { Tickets } from '../../auth/tickets.ts'
import { ServiceError } from '../../errors.ts'
import type { App, Context } from '../context.ts'
import { SystemParams } from '../parameters.ts'
import { eventStream } from '../server-events.ts'

/** Records as server-sent events. */
export function eventRoutes(app: App, context: Context, tickets: Tickets): void {
  ticketRoute(app, context, tickets)
  followRoute(app, context)
}

function ticketRoute(app: App, { service }: Context, tickets: Tickets): void {
  app.post('/v1/systems/:id/events/ticket', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getEventTicket',
      summary: "A short-lived ticket for the events of a system: a browser's EventSource can send no token",
      params: SystemParams,
      response: { 200: EventTicket },
    },
    handler: async ({ params, principal }, reply) => {
      const { id } = service.get(params.id)
      reply.header('cache-control', 'no-store')
      const { ticket, expires } = tickets.issue(principal, id, service.clock())
      return { ticket, expires, url: `/v1/systems/${id}/events?ticket=${ticket}` }
    },
  })
}

function followRoute(app: App, { service, reading, streams, maxStreams }: Context): void {
  app.get('/v1/systems/:id/events', {
    config: { permission: 'read', takesTickets: true },
    schema: {
      operationId: 'followEvents',
      summary:
        `Server-sent events: each record as it reaches the disk (${USUAL_EVENTS.join(', ')} unless asked otherwise); ` +
        'Last-Event-ID goes on where it stopped; /asyncapi.json describes the data',
      params: SystemParams,
      querystring: Type.Object({
        after: Type.Optional(sequence),
        kinds: Type.Optional(KindsQuery),
        ticket: Type.Optional(Type.String({ maxLength: 500, description: 'instead of a token' })),
      }),
      headers: Type.Object({ 'last-event-id': Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })) }),
      response: { 200: { description: 'events', content: { 'text/event-stream': { schema: Type.String() } } } },
    },
    handler: async ({ method, params, query, headers }, reply) => {
      const system = service.get(params.id)
      // Proxies must not wait for the end of what has none.
      reply.type('text/event-stream').headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
      if (method === 'HEAD') return reply.send('' as never)
      if (streams.size >= maxStreams) {
        throw new ServiceError(429, 'Too many requests', `this server has at most ${maxStreams} event streams at once`)
      }
      const last = headers['last-event-id']
      const asked = last === undefined ? query.after : Number(last)
      // Only what is on disk counts as past. A system that is not ready is followed from where its log ends.
      const after = asked ?? (await service.log.extent(system.id))?.last ?? 0
      const kinds = (query.kinds?.split(',') ?? USUAL_EVENTS) as RecordKind[]
      const stream = eventStream(reading, system, after, kinds)
      streams.add(stream)
      stream.once('close', () => streams.delete(stream))
      return reply.send(stream as never)
    },
  })
}
