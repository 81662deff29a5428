import { Ajv } from 'ajv'
import createClient from 'openapi-fetch'
import { describe, expect, it } from 'vitest'
import { localServer } from '../testing/local-server.ts'

interface Operation {
  operationId: string
  tags: string[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}

interface Media {
  schema: object
  examples?: Record<string, { value: unknown }>
}

interface Document {
  openapi: string
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

const server = await localServer()
const document: Document = await (await fetch(`${server.url}/openapi.json`)).json()

/** What a generated method takes and gives. */
type Call = (init?: {
  path?: object
  query?: object
  body?: unknown
}) => Promise<{ status: number; data: unknown; problem: unknown }>

const ajv = new Ajv({ strict: false })

/** What is wrong with a value, as a schema of the document has it; nothing when it fits. */
function misfit(schema: object, value: unknown): string {
  return ajv.validate({ ...schema, components: document.components }, value) ? '' : ajv.errorsText()
}

/** A client made from the document alone: one method per operation; every answer is checked against its schema. */
function generateClient(): Record<string, Call> {
  const client = createClient<Record<string, never>>({ baseUrl: server.url })
  const methods: Record<string, Call> = {}
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, { operationId, responses }] of Object.entries(operations)) {
      methods[operationId] = async ({ path: parameters, query, body } = {}) => {
        const init = { params: { path: parameters, query }, body }
        const { data, error, response } = await client.request(method as 'get', path as never, init as never)
        const status = String(response.status)
        const declared = responses[status] ?? responses[`${status[0]}XX`] ?? responses[`${status[0]}xx`]
        expect(declared, `${operationId} answered ${status}, which the document does not know`).toBeDefined()
        const type = response.headers.get('content-type')?.split(';')[0] ?? ''
        const schema = declared.content?.[type]?.schema
        if (response.status !== 204) expect(schema, `${operationId}: no ${type} for ${status}`).toBeDefined()
        if (schema && type.endsWith('json')) {
          expect(misfit(schema, data ?? error), operationId).toBe('')
        }
        return { status: response.status, data, problem: error }
      }
    }
  }
  return methods
}

function byName(): Record<string, Operation> {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  return Object.fromEntries(operations.map((operation) => [operation.operationId, operation]))
}

describe('the OpenAPI document', () => {
  it('is 3.1 and names every operation once', () => {
    expect(document.openapi).toBe('3.1.0')
    const names = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    )
    expect(new Set(names).size).toBe(names.length)
    expect(names).not.toContain(undefined)
  })

  it('gives shapes their names, and every operation a tag that is described', () => {
    const { schemas } = document.components
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['GivenSample', 'NewSystem', 'Problem', 'SystemDetail']),
    )
    const { getSystem } = byName()
    expect(getSystem.responses['200'].content?.['application/json'].schema).toEqual({
      $ref: '#/components/schemas/SystemDetail',
    })
    const described = document.tags.map(({ name }) => name)
    for (const { operationId, tags } of Object.values(byName())) {
      expect(tags, operationId).toHaveLength(1)
      expect(described, operationId).toContain(tags[0])
    }
  })

  it('has an example for everything that is sent or comes back as text, and each one fits its schema', () => {
    for (const { operationId, requestBody, responses } of Object.values(byName())) {
      const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
      for (const content of [requestBody?.content, success?.content]) {
        const [type, media] = Object.entries(content ?? {})[0] ?? []
        if (!media || type === 'application/vnd.sqlite3') continue
        const value = media.examples?.example.value
        expect(value, `${operationId} has no example in scripts/api-examples.ts`).toBeDefined()
        expect(misfit(media.schema, value), `${operationId}: run node scripts/api-examples.ts`).toBe('')
      }
    }
  })

  it('drives a client through the whole life of a system, and every answer is as described', async () => {
    const api = generateClient()
    const path = { id: 'tank' }
    const body = {
      id: 'tank',
      channels: ['pressure'],
      levels: ['safe', 'unsafe'],
      options: { experts: 3 },
      alarm: { level: 1 },
    }
    expect((await api.createSystem({ body })).status).toBe(201)
    expect((await api.createSystem({ body })).problem).toMatchObject({ status: 409 })
    const { data } = await api.assess({ path, body: { values: [1.5], key: 'first' } })
    const { assessment } = data as { assessment: number }
    await api.assess({ path, body: { values: { pressure: 2 } } })
    expect((await api.assess({ path, body: { values: [1, 2] } })).problem).toMatchObject({ status: 422 })
    await api.claimQuestion({ path: { ...path, assessment }, body: { seconds: 30 } })
    expect(((await api.getQueue({ path })).data as { open: number }).open).toBe(2)
    await api.releaseQuestion({ path: { ...path, assessment } })
    await api.answer({ path, body: { assessment, kind: 'label', level: 1, by: 'eva' } })
    expect((await api.answer({ path, body: { assessment, kind: 'confirm' } })).problem).toMatchObject({ status: 409 })
    for (const operation of ['getSystem', 'getGuarantee', 'getProgress', 'listSamples', 'getLog', 'getState']) {
      expect((await api[operation]({ path })).status).toBe(200)
    }
    expect((await api.getSample({ path: { ...path, assessment } })).status).toBe(200)
    expect((await api.getLog({ path, query: { kinds: 'feedback', limit: 1 } })).data).toMatchObject({
      records: [{ kind: 'feedback' }],
    })
    await api.changeSystem({ path, body: { title: 'Tank 7' } })
    for (const operation of ['listSystems', 'listMethods', 'health', 'readiness', 'whoAmI', 'listTokens']) {
      expect((await api[operation]()).status).toBe(200)
    }
    expect((await api.getSimulation()).status).toBe(404)
    expect((await api.compactLog({ path, body: { keep: 1 } })).status).toBe(409)
    expect((await api.acknowledgeAlarm({ path, body: { number: 1 } })).status).toBe(409)
    expect((await api.getSystem({ path: { id: 'none' } })).problem).toMatchObject({
      status: 404,
      type: 'urn:pb-oel:problem:not-found',
    })
  })
})
