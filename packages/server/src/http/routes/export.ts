import { Readable } from 'node:stream'
import { moment, word } from '@pb-oel/protocol'
import { Type } from '@sinclair/typebox'
import { EXPORT_FORMATS } from '../../export/export-formats.ts'
import { setAside } from '../../fold/names-and-limits.ts'
import { detail } from '../../views/system.ts'
import type { App, Context } from '../context.ts'
import { momentOf, SystemParams } from '../parameters.ts'

/** The samples of a system as a file. */
export function exportRoutes(app: App, { service, reading }: Context): void {
  const file = { schema: Type.String({ description: 'the file' }) }
  app.get('/v1/systems/:id/export', {
    config: { permission: 'read' },
    schema: {
      operationId: 'exportSamples',
      summary:
        'All samples of a system or those of a time as a file: time, channels by name, and the true level where an ' +
        'answer tells it; `pb-oel import` takes it back',
      params: SystemParams,
      querystring: Type.Object({
        format: Type.Optional(word(Object.keys(EXPORT_FORMATS), 'default csv')),
        from: Type.Optional(moment('arrival at or after')),
        to: Type.Optional(moment('arrival before')),
        detail: Type.Optional(Type.Boolean({ description: 'also what was assessed, and who answered' })),
      }),
      response: { 200: { description: 'the file, as it is made', content: { 'text/csv': file } } },
    },
    handler: async ({ method, params, query }, reply) => {
      const system = service.get(params.id)
      const { format = 'csv', detail: wantsDetail = false } = query
      const [from, to] = [momentOf(query.from, 'from'), momentOf(query.to, 'to')]
      reply.type(EXPORT_FORMATS[format].type)
      reply.headers({
        'content-disposition': `attachment; filename="${system.id}.${format}"`,
        'cache-control': 'no-store',
      })
      if (method === 'HEAD') return reply.send('' as never)
      const { channels, levels, options } = (await system.read(detail(system.now))).configuration
      const pieces = reading.export({
        ...{ system: system.id, channels, levels, pending: setAside(options), from, to, format, detail: wantsDetail },
      })
      // The first piece tells whether there will be others: an error before it is a problem document.
      const first = await pieces.next()
      return reply.send(Readable.from(joined(first, pieces), { objectMode: false }) as never)
    },
  })
}

async function* joined(
  first: IteratorResult<Uint8Array>,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    if (!first.done && first.value.length > 0) yield first.value
    for await (const piece of rest) if (piece.length > 0) yield piece
  } finally {
    // Also when nobody takes the rest.
    await rest.return(undefined)
  }
}
