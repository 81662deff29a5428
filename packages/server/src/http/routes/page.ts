import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { App } from '../context.ts'

/** Where the built web page may be: beside this package in a clone, or inside it when published. */
const PLACES = ['../../../../web/dist', '../../web']

const MINIMAL = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>pb-oel</title>
<h1>pb-oel</h1>
<p>The server runs. The web page is not built here; these are the ways in:</p>
<ul>
<li><a href="/v1/systems">/v1/systems</a>: the systems and their levels</li>
<li><a href="/docs">/docs</a>: the whole API, to try; <a href="/openapi.json">/openapi.json</a>: the same for programs</li>
<li><a href="/metrics">/metrics</a>: figures for Prometheus</li>
<li>docs/server.md in the repository: how to use them</li>
</ul>
</html>
`

/** How a file is kept by browsers whose name changes with its content, and how any other. */
const FOREVER = 'public, max-age=31536000, immutable'
const ASK_AGAIN = 'no-cache'

/** Whether the name of a file holds the hash of its content, as the bundler names assets. */
function isHashed(file: string): boolean {
  return /^assets\/[^/]+-[\w-]{8}\.\w+$/.test(file)
}

/** The web page where it is built, otherwise a page with links. */
export function pageRoutes(app: App): void {
  const root = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) =>
    existsSync(`${path}/index.html`),
  )
  if (root) {
    app.get('/*', { config: { permission: 'public' }, schema: { hide: true } as object }, (request, reply) => {
      const file = (request.params as { '*': string })['*'] || 'index.html'
      reply.header('cache-control', isHashed(file) ? FOREVER : ASK_AGAIN)
      return reply.sendFile(file, root, { cacheControl: false })
    })
    return
  }
  app.get('/', { config: { permission: 'public' }, schema: { hide: true } as object }, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(MINIMAL),
  )
}
