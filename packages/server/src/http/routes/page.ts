import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { App } from '../context.ts'

/** Where the built web page may be: beside this package in a clone, or inside it when published. */
const PLACES = ['../../../../web/dist', '../../web']

const MINIMAL = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>pb-oel</title>
<h1>pb-oel</h1>
<p>The server runs. The web page is not built here; these are the ways in:</p>
<ul>
<li><a href="/v1/systems">/v1/systems</a>: the systems and their levels</li>
<li><a href="/openapi.json">/openapi.json</a>: the whole API</li>
<li><a href="/metrics">/metrics</a>: figures for Prometheus</li>
<li>docs/server.md in the repository: how to use them</li>
</ul>
</html>
`

/** The web page where it is built, otherwise a page with links. */
export async function pageRoutes(app: App): Promise<void> {
  const root = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) =>
    existsSync(`${path}/index.html`),
  )
  if (root) {
    await app.register(fastifyStatic, { root, serve: false })
    app.get('/*', { config: { permission: 'public' }, schema: { hide: true } as object }, (request, reply) =>
      reply.sendFile((request.params as { '*': string })['*'] || 'index.html'),
    )
    return
  }
  app.get('/', { config: { permission: 'public' }, schema: { hide: true } as object }, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(MINIMAL),
  )
}
