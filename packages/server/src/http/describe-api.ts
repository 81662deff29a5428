import swagger from '@fastify/swagger'
import * as protocol from '@pb-oel/protocol'
import examples from './api-examples.json' with { type: 'json' }
import type { App } from './context.ts'

/** What the operations are about, in the order of the document, by what their address goes on with. */
const TAGS: readonly { name: string; description: string; address: RegExp }[] = [
  {
    name: 'samples',
    description: 'Assess samples, look at earlier ones, and ask why',
    address: /^\/v1\/systems\/\{id\}\/(samples|chart|explanation)/,
  },
  {
    name: 'answers',
    description: 'Questions, answers, comments, and who shall answer',
    address: /^\/v1\/systems\/\{id\}\/(feedback|queue|comments|assignments)/,
  },
  { name: 'alarms', description: 'Alarms', address: /^\/v1\/(systems\/\{id\}\/alarm|alarms)/ },
  {
    name: 'log',
    description: 'Events, records, states, exclusions and exports',
    address: /^\/v1\/systems\/\{id\}\/(events|log|state|compact|export|exclusions)/,
  },
  { name: 'systems', description: 'Systems and what is promised of them', address: /^\/v1\/(systems|methods)/ },
  { name: 'access', description: 'Tokens, and who one is', address: /^\/v1\/(tokens|me)/ },
  { name: 'server', description: 'Health, figures, back-ups and the simulation', address: /./ },
]

interface Operation {
  operationId: string
  tags?: string[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}

interface Media {
  schema: object
  examples?: Record<string, { value: unknown }>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, object>
}

/** Makes the document of the API from the routes: shapes have their names, operations their tags and examples. */
export async function describeApi(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'pb-oel',
        version: '1',
        description: 'Real-time safety assessment that learns from right-or-wrong answers.',
      },
      tags: TAGS.map(({ name, description }) => ({ name, description })),
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
      security: [{ bearer: [] }, {}],
    },
    transformObject: (made) => complete((made as { openapiObject: object }).openapiObject as Document) as never,
  })
}

function complete(document: Document): Document {
  for (const [address, operations] of Object.entries(document.paths)) {
    for (const operation of Object.values(operations)) {
      operation.tags = TAGS.filter((tag) => tag.address.test(address))
        .slice(0, 1)
        .map(({ name }) => name)
      exemplify(operation)
    }
  }
  const { schemas, paths } = withNames(document.paths)
  return { ...document, paths, components: { ...document.components, schemas } }
}

/** What is sent and what comes back, by operation; `node scripts/api-examples.ts` writes them from a real run. */
const EXAMPLES: Record<string, { body?: unknown; answer?: unknown }> = examples

/** Puts the examples of an operation beside its shapes. */
function exemplify({ operationId, requestBody, responses }: Operation): void {
  const { body, answer } = EXAMPLES[operationId] ?? {}
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  for (const [content, value] of [
    [requestBody?.content, body],
    [success?.[1].content, answer],
  ] as const) {
    const type = Object.keys(content ?? {})[0]
    if (content && type !== undefined && value !== undefined) content[type].examples = { example: { value } }
  }
}

/** The shapes of the protocol by the text of their schema. */
const NAMES = new Map(
  Object.entries(protocol as Record<string, unknown>)
    .filter(([name, value]) => /^[A-Z][a-z]/.test(name) && (value as { type?: unknown } | null)?.type === 'object')
    .map(([name, schema]) => [textOf(schema), name]),
)

/** The text of a schema, the same before and after the plug-in has rewritten what OpenAPI 3.0 did not have. */
function textOf(schema: unknown): string {
  return JSON.stringify(schema, (_key, value) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
    const { const: only, patternProperties, ...rest } = value
    const like = {
      ...rest,
      ...(only !== undefined && { enum: [only] }),
      ...(patternProperties && { additionalProperties: Object.values(patternProperties)[0] }),
    }
    return Object.fromEntries(Object.entries(like).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** Replaces every shape of the protocol by a reference to its name. */
function withNames(paths: Document['paths']): { paths: Document['paths']; schemas: Record<string, object> } {
  const schemas: Record<string, object> = {}
  const named = (value: unknown, inside?: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => named(item))
    if (value === null || typeof value !== 'object') return value
    const name = 'properties' in value ? NAMES.get(textOf(value)) : undefined
    if (name !== undefined && name !== inside) {
      schemas[name] ??= named(value, name) as object
      return { $ref: `#/components/schemas/${name}` }
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, key === 'examples' ? item : named(item)]),
    )
  }
  const done = named(paths) as Document['paths']
  return { paths: done, schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))) }
}
