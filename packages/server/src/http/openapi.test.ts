import { Ajv } from 'ajv'
import createClient from 'openapi-fetch'
import { describe, expect, it } from 'vitest'
import { localServer } from '../testing/local-server.ts'

interface Operation {
  operationId: string
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}

interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
}

const server = await localServer()
const document: Document = await (await fetch(`${server.url}/openapi.json`)).json()

/** What a generated method takes and gives. */
type Call = (init?: {
  path?: object
  query?: object
  body?: unknown
}) => Promise<{ status: number; data: unknown; problem: unknown }>

/** A client made from the document alone: one method per operation; every answer is checked against its schema. */
function generateClient(): Record<string, Call> {
  const client = createClient<Record<string, never>>({ baseUrl: server.url })
  const ajv = new Ajv({ strict: false })
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
          const fits = ajv.validate(schema, data ?? error)
          expect(fits ? '' : `${operationId}: ${ajv.errorsText()}`).toBe('')
        }
        return { status: response.status, data, problem: error }
      }
    }
  }
  return methods
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
