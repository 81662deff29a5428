import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '../page.ts'
import { type Schema, schemaText } from './schema-text.ts'

interface Operation {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema?: Schema }> }
  responses: Record<string, { description?: string; content?: Record<string, { schema?: Schema }> }>
}

interface Document {
  info: { description?: string }
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

/** The page of the HTTP API, from the document a real server gives. */
export async function httpPage(root: string): Promise<Page> {
  const document = await openApi(root)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const shapes = Object.entries(document.components?.schemas ?? {})
  const parts = [
    '# HTTP API',
    'Every request the server takes, from its own `/openapi.json`. Errors are problem documents (RFC 9457). Bodies are shown as TypeScript types.',
    ...operations.map(({ path, method, operation }) => operationText(path, method, operation)),
    ...(shapes.length > 0 ? ['## Shapes', ...shapes.map(([name, schema]) => `### ${name}\n\n${type(schema)}`)] : []),
  ]
  const markdown = parts.join('\n\n')
  return {
    path: 'reference/http.html',
    source: 'docs/reference/http.md',
    markdown,
    title: 'HTTP API',
    section: 'Reference',
    search: 'sections',
  }
}

/** Starts a server on a free port with an empty store, asks it for its document, and ends it. */
async function openApi(root: string): Promise<Document> {
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-docs-'))
  const words = ['serve', '--port', '0', '--store', join(folder, 'store.db')]
  const server = spawn(process.execPath, [join(root, 'packages/cli/src/main.ts'), ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise((done) => server.once('exit', done))
  try {
    const url = await new Promise<string>((found, failed) => {
      let output = ''
      server.stderr.on('data', (chunk) => {
        output += chunk
        const [, address] = /listens on (http\S+)/.exec(output) ?? []
        if (address) found(address)
      })
      server.once('exit', () => failed(new Error(`the server did not start: ${output}`)))
    })
    const response = await fetch(`${url}/openapi.json`)
    return (await response.json()) as Document
  } finally {
    server.kill()
    await ended
    rmSync(folder, { recursive: true })
  }
}

function operationText(path: string, method: string, operation: Operation): string {
  const { summary, description, parameters = [], requestBody, responses } = operation
  const lines = [`## ${method.toUpperCase()} ${path.replaceAll(/[{}]/g, (mark) => (mark === '{' ? ':' : ''))}`]
  if (summary) lines.push(sentence(summary))
  if (description) lines.push(description)
  if (parameters.length > 0) lines.push(parameterTable(parameters))
  for (const [kind, { schema }] of Object.entries(requestBody?.content ?? {})) {
    lines.push(...bodyText(`Body, \`${kind}\``, schema))
  }
  for (const [status, response] of Object.entries(responses)) {
    if (/^[45]/.test(status)) continue
    const known = response.description && response.description !== 'Default Response'
    lines.push(`Reply ${status}${known ? `: ${sentence(response.description as string)}` : '.'}`)
    for (const [kind, { schema }] of Object.entries(response.content ?? {})) {
      lines.push(...bodyText(`\`${kind}\``, schema))
    }
  }
  const errors = Object.entries(responses).filter(([status]) => /^[45]/.test(status))
  if (errors.length > 0) {
    lines.push(
      errors
        .map(
          ([status, { description = 'a problem document' }]) =>
            `- ${status}: ${description.replace('Default Response', 'a problem document')}`,
        )
        .join('\n'),
    )
  }
  return lines.filter(Boolean).join('\n\n')
}

/** A body as a type, or in words where its schema has only words, such as for lines of JSON. */
function bodyText(what: string, schema: Schema | undefined): string[] {
  if (!schema) return [`${what}.`]
  const { description, ...shape } = schema
  if (Object.keys(shape).length === 0) return [`${what}: ${description ?? 'anything'}.`]
  return [`${what}${description ? `: ${description}` : ''}`, type(schema)]
}

function parameterTable(parameters: NonNullable<Operation['parameters']>): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  const rows = parameters.map(
    ({ name, in: place, required, description = '', schema }) =>
      `| \`${name}\` | ${place}${required ? ', required' : ''} | \`${cell(schemaText(schema))}\` | ${cell(description || (schema.description ?? ''))} |`,
  )
  return ['| parameter | in | type | |', '|---|---|---|---|', ...rows].join('\n')
}

const type = (schema: Schema): string => `\`\`\`ts\n${schemaText(schema)}\n\`\`\``
const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
