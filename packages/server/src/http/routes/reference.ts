import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { App } from '../context.ts'

/** The files of Swagger UI that the page needs; they come with its package, so nothing is loaded from elsewhere. */
const FILES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png']

const PAGE = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>pb-oel: API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="icon" href="/docs/favicon-32x32.png">
<div id="api"></div>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script>
</html>
`

const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null,
  displayRequestDuration: true, docExpansion: 'none', tryItOutEnabled: true })
`

/** A page with every operation, to try it: a token is entered there and stays in that page. */
export async function referenceRoutes(app: App): Promise<void> {
  const root = join(dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui'))), 'static')
  await app.register(fastifyStatic, { root, serve: false })
  const hidden = { config: { permission: 'public' as const }, schema: { hide: true } as object }
  app.get('/docs', hidden, async (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE))
  app.get('/docs/start.js', hidden, async (_request, reply) => reply.type('text/javascript').send(START))
  for (const file of FILES) app.get(`/docs/${file}`, hidden, (_request, reply) => reply.sendFile(file, root))
}
