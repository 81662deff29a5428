import { Type } from '@sinclair/typebox'
import { ServiceError } from '../../errors.ts'
import type { RecordKind } from '../../log/record.ts'
import type { App, Context } from '../context.ts'
import { KindsQuery, SystemParams, sequence } from '../schemas.ts'
import { eventStream } from '../server-events.ts'

/** Kinds that are sent unless asked otherwise. */
const USUAL: readonly RecordKind[] = [
  'assessment',
  'feedback',
  'correction',
  'configuration',
  'alarm',
  'acknowledgement',
]

/** Records as server-sent events. */
export function eventRoutes(app: App, { service, streams, maxStreams }: Context): void {
  app.get('/v1/systems/:id/events', {
    config: { permission: 'read' },
    schema: {
      operationId: 'followEvents',
      summary: `Server-sent events: each record as it reaches the disk (${USUAL.join(', ')} unless asked otherwise); Last-Event-ID goes on where it stopped`,
      params: SystemParams,
      querystring: Type.Object({
        after: Type.Optional(sequence),
        kinds: Type.Optional(KindsQuery),
      }),
      headers: Type.Object({ 'last-event-id': Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })) }),
      response: { 200: { description: 'events', content: { 'text/event-stream': { schema: Type.String() } } } },
    },
    handler: async ({ params, query, headers }, reply) => {
      const system = service.get(params.id)
      if (streams.size >= maxStreams) {
        throw new ServiceError(429, 'Too many requests', `there are ${streams.size} event streams already`)
      }
      const last = headers['last-event-id']
      // Only what is on disk counts as past; the rest will come as it gets there.
      await system.settled().catch(() => {})
      const after = last === undefined ? (query.after ?? system.fold.sequence) : Number(last)
      const kinds = (query.kinds?.split(',') ?? USUAL) as RecordKind[]
      const stream = eventStream(service.log, system, after, kinds)
      streams.add(stream)
      stream.once('close', () => streams.delete(stream))
      // Proxies must not wait for the end of what has none.
      reply.type('text/event-stream').headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
      return reply.send(stream as never)
    },
  })
}
