import { milliseconds } from '@pb-oel/protocol'
import { Type } from '@sinclair/typebox'
import type { App, Context } from '../context.ts'

/** Back-ups: make, list, download. */
export function backupRoutes(app: App, { backups }: Context): void {
  const file = Type.String({ pattern: '^pb-oel-backup-[0-9TZ-]+\\.db$', description: 'beside the store' })

  app.post('/v1/backup', {
    config: { permission: 'admin', allSystems: true },
    schema: {
      operationId: 'backUp',
      summary: 'Copy the whole store to a file while the server runs; several copies are made one after the other',
      response: { 201: Type.Object({ file: Type.String() }) },
    },
    handler: async (_request, reply) => {
      const made = await backups.make()
      reply.code(201).header('location', `/v1/backups/${made}`)
      return { file: made }
    },
  })

  app.get('/v1/backups', {
    config: { permission: 'admin', allSystems: true },
    schema: {
      operationId: 'listBackups',
      summary: 'The complete copies of the store, latest first',
      response: {
        200: Type.Object({
          backups: Type.Array(Type.Object({ file, bytes: Type.Integer(), time: milliseconds('when it was complete') })),
        }),
      },
    },
    handler: async () => ({ backups: await backups.list() }),
  })

  app.get('/v1/backups/:file', {
    config: { permission: 'admin', allSystems: true },
    schema: {
      operationId: 'getBackup',
      summary: 'Download a copy of the store',
      params: Type.Object({ file }),
      response: {
        200: {
          description: 'an SQLite file',
          content: { 'application/vnd.sqlite3': { schema: Type.Unsafe<never>({ description: 'the file' }) } },
        },
      },
    },
    handler: async ({ params }, reply) => {
      const { bytes, stream } = await backups.read(params.file)
      reply.type('application/vnd.sqlite3').header('content-length', bytes)
      return reply.header('content-disposition', `attachment; filename="${params.file}"`).send(stream as never)
    },
  })
}
