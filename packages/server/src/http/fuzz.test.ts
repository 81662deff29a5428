import { connect } from 'node:net'
import '@fastify/swagger'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localServer } from '../testing/local-server.ts'
import { memoryApp } from '../testing/memory-app.ts'
import { detail, hashOfState } from '../views/system.ts'

const { app, service } = await memoryApp({ requestsPerSecond: 1e9 })
const hashOf = (from = service) => from.get('plant').read(hashOfState())
for (let i = 0; i < 10; i++) await service.sample('plant', { values: [i, -i] }, 'test')

const weird = fc.oneof(
  fc.constantFrom(
    'NaN',
    '-1',
    '1e999',
    '9007199254740993',
    '',
    ' ',
    'null',
    '../..',
    '%00',
    'plant',
    '0',
    '1.5',
    'true',
    '٣',
    '"',
    '{}',
  ),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(1e308, -1e308, 1e101, -0, Number.MAX_SAFE_INTEGER, 2 ** 53),
)
const anything = fc.oneof(
  fc.anything({ withNullPrototype: false, maxDepth: 4 }),
  fc.record(
    {
      values: fc.oneof(
        fc.array(fc.oneof(number, fc.constant(null))),
        fc.dictionary(fc.string(), number),
        fc.anything(),
      ),
      at: fc.anything(),
      key: fc.anything(),
      mode: fc.anything(),
    },
    { requiredKeys: [] },
  ),
  fc.record(
    {
      assessment: fc.oneof(fc.integer({ min: -2, max: 20 }), number, fc.anything()),
      kind: fc.oneof(fc.constantFrom('confirm', 'reject', 'label'), fc.anything()),
      answer: fc.oneof(fc.constantFrom('confirm', 'reject', 'label'), fc.anything()),
      level: fc.oneof(fc.integer({ min: -2, max: 5 }), fc.anything()),
      correction: fc.oneof(fc.boolean(), fc.anything()),
    },
    { requiredKeys: [] },
  ),
  fc.record(
    {
      id: fc.anything(),
      channels: fc.anything(),
      levels: fc.anything(),
      options: fc.anything(),
      alarm: fc.anything(),
      number: fc.anything(),
    },
    { requiredKeys: [] },
  ),
)
/** Bodies as text: JSON of anything, JSON that was cut or damaged, and no JSON at all. */
const body = fc.oneof(
  anything.map((value) => safeJson(value)),
  fc.tuple(anything, fc.nat()).map(([value, cut]) => safeJson(value).slice(0, cut % 50)),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.integer({ min: 1, max: 3000 }).map((depth) => `${'{"a":['.repeat(depth)}${']}'.repeat(depth)}`),
  fc.constantFrom(
    '{"values":[NaN,1]}',
    '{"values":[1e999,1]}',
    '{"values":[Infinity,1]}',
    '{"values":[1,2,3]}',
    '[',
    'null',
    '0',
  ),
)
const type = fc.constantFrom(
  'application/json',
  'application/json',
  'application/x-ndjson',
  'text/plain',
  'application/json; charset=utf-16',
  '',
)

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value, (_, entry) => (typeof entry === 'bigint' ? String(entry) : entry)) ?? ''
  } catch {
    return ''
  }
}

const paths = (
  app.swagger() as unknown as { paths: Record<string, Record<string, { parameters?: { name: string; in: string }[] }>> }
).paths
// Back-ups would fill the folder for temporary files, and an endless stream is no answer.
const operations = Object.entries(paths)
  .filter(([path]) => !path.endsWith('/backup') && !path.endsWith('/events'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [] }]) => ({ path, method, parameters })),
  )

describe('bad input to every endpoint', () => {
  it.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s',
    async (_, { path, method, parameters }) => {
      const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
      await fc.assert(
        fc.asyncProperty(
          fc.boolean(),
          weird,
          weird,
          // A system that is deleted by its name is gone for all that follow.
          fc
            .array(fc.tuple(fc.constantFrom(...query, 'extra'), weird), { maxLength: 3 })
            .filter((pairs) => pairs.every(([name, value]) => name !== 'confirm' || value !== 'plant')),
          body,
          type,
          async (known, first, second, pairs, payload, contentType) => {
            const url = `${path
              .replace('{id}', known ? 'plant' : encodeURIComponent(first.toWellFormed()))
              .replace(
                /\{\w+\}/,
                encodeURIComponent(second.toWellFormed()),
              )}?${new URLSearchParams(pairs.map(([name, value]) => [name, value.toWellFormed()]))}`
            const before = await hashOf()
            const response = await app.inject({
              method: method as 'GET',
              url,
              headers: {
                host: 'localhost',
                ...(method !== 'get' && contentType !== '' && { 'content-type': contentType }),
              },
              ...(method !== 'get' && { payload }),
            })
            expect(response.statusCode).toBeLessThan(500)
            if (response.statusCode >= 400) {
              expect(response.headers['content-type']).toBe('application/problem+json')
              expect(response.json()).toMatchObject({ status: response.statusCode })
              expect(await hashOf()).toBe(before)
            } else if (contentType === 'application/x-ndjson' && /samples$|feedback$/.test(path)) {
              const answers = response.body.split('\n').filter((line) => line !== '')
              if (answers.every((line) => JSON.parse(line).status >= 400)) expect(await hashOf()).toBe(before)
            }
          },
        ),
        { numRuns: process.env.PB_OEL_SOAK ? 600 : 20 },
      )
    },
  )

  it('repeated and out-of-order feedback in any order: each assessment is answered once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom('confirm', 'reject')), { maxLength: 30 }),
        async (answers) => {
          const { app, service } = await memoryApp({ requestsPerSecond: 1e9 })
          for (let i = 0; i < 10; i++) await service.sample('plant', { values: [i, 1] }, 'test')
          const seen = new Set<number>()
          const statuses = await Promise.all(
            answers.map(async ([assessment, kind]) => {
              const response = await app.inject({
                method: 'POST',
                url: '/v1/systems/plant/feedback',
                headers: { host: 'localhost' },
                payload: { assessment, kind },
              })
              return response.statusCode
            }),
          )
          answers.forEach(([assessment], i) => {
            expect(statuses[i]).toBe(seen.has(assessment) ? 409 : 200)
            seen.add(assessment)
          })
          const { counts } = await service.get('plant').read(detail(0))
          expect(counts.confirms + counts.rejects + counts.labels).toBe(seen.size)
        },
      ),
      { numRuns: 10 },
    )
  })
})

/** Text that a query may hold where a number, a moment, a word or a name belongs. */
const HOSTILE = [
  ...['', ' ', '0', '-0', '-1', '1.5', 'NaN', 'null', 'true', '[]', '{}', '"', '%00', '../..', '٣'],
  ...['1e308', '-1e308', '1e15', '9007199254740993', '8640000000000001', '1'.repeat(30)],
  ...['2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-11-15T99:00:00+99:99'],
  'x'.repeat(5_000),
]
/** Text that is a number without end. */
const ENDLESS = ['1e999', '-1e999', 'Infinity', '-Infinity', '9'.repeat(400)]

interface QueryParameter {
  name: string
  in: string
  schema: { type?: string; minimum?: number; maximum?: number; anyOf?: QueryParameter['schema'][] }
}

const queries = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { parameters = [] }]) =>
    (parameters as QueryParameter[])
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => {
        const kinds = [parameter.schema, ...(parameter.schema.anyOf ?? [])]
        const numbers = kinds.filter(({ type }) => type === 'integer' || type === 'number')
        return { method, path, name: parameter.name, numbers }
      }),
  ),
)

describe('a query parameter', async () => {
  const server = await localServer({ limits: { requestsPerSecond: 1_000_000 } })
  for (let i = 0; i < 10; i++) await server.service.sample('plant', { values: [i, -i] }, 'test')
  const ask = async (path: string, method: string, query: string) => {
    const address = path.replace('{id}', 'plant').replace(/\{\w+\}/g, '1')
    const gone = new AbortController()
    const response = await fetch(`${server.url}${address}?${query}`, {
      method: method.toUpperCase(),
      signal: gone.signal,
    })
    const { status, headers } = response
    const type = headers.get('content-type')
    if (status >= 400) expect(await response.json(), query).toMatchObject({ status })
    else if (type === 'text/event-stream') gone.abort()
    else await response.arrayBuffer()
    return { query: query.slice(0, 100), status, type }
  }

  it.each(queries.map((query) => [`${query.method} ${query.path} ${query.name}`, query] as const))(
    '%s: whatever it holds, once or twice, is answered or refused by a problem document',
    async (_, { method, path, name, numbers }) => {
      const before = await hashOf(server.service)
      for (const value of [...HOSTILE, ...ENDLESS]) {
        const pair = `${name}=${encodeURIComponent(value)}`
        const answers = await Promise.all([ask(path, method, pair), ask(path, method, `${name}=1&${pair}`)])
        for (const { status, type, query } of answers) {
          expect(status, query).toBeLessThan(500)
          if (status >= 400) expect(type, query).toBe('application/problem+json')
        }
        if (numbers.length > 0 && ENDLESS.includes(value))
          expect(answers.map(({ status }) => status)).toEqual([400, 400])
      }
      expect(await hashOf(server.service)).toBe(before)
    },
  )

  it('that is a number says its smallest and its largest value', () => {
    const numbers = queries.flatMap((query) => query.numbers.map((schema) => ({ ...query, ...schema })))
    expect(numbers.length).toBeGreaterThan(10)
    for (const { path, name, minimum, maximum } of numbers) {
      expect([path, name, typeof minimum, typeof maximum]).toEqual([path, name, 'number', 'number'])
    }
  })
})

describe('rubbish on the wire', () => {
  it('is answered by a 4xx or a closed connection, and the server goes on', async () => {
    const server = await localServer({ limits: { idleSeconds: 1 } })
    const { port, host } = new URL(server.url)
    const head = `POST /v1/systems/plant/samples HTTP/1.1\r\nhost: ${host}\r\n`
    const rubbish = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom(
          `${head}content-type: application/json\r\ncontent-length: 50\r\n\r\n{"values":[1,`,
          `${head}content-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n10\r\n{"values":[1`,
          `${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
          `${head}content-length: -5\r\n\r\n`,
          `${head}x: ${'y'.repeat(20_000)}\r\n\r\n`,
          `${head}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
          `GET /${'a'.repeat(70_000)} HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
          'GET / HTTP/9.9\r\n\r\n',
          'GET /healthz HTTP/1.1\r\n\r\n',
        )
        .map((text) => Buffer.from(text)),
    )
    const before = await hashOf(server.service)
    await fc.assert(
      fc.asyncProperty(fc.array(rubbish, { minLength: 1, maxLength: 6 }), async (all) => {
        const answers = await Promise.all(
          all.map(
            (bytes) =>
              new Promise<string>((done) => {
                let text = ''
                const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes))
                socket.on('data', (chunk) => (text += chunk))
                socket.on('error', () => done(text))
                socket.on('close', () => done(text))
                setTimeout(() => socket.destroy(), 50)
              }),
          ),
        )
        for (const answer of answers) expect(answer === '' || /^HTTP\/1\.1 4\d\d /.test(answer)).toBe(true)
      }),
      { numRuns: 20 },
    )
    expect(await hashOf(server.service)).toBe(before)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  })

  it('a body that never ends is cut off', async () => {
    const server = await localServer({ limits: { idleSeconds: 0.5 } })
    const { port, host } = new URL(server.url)
    await new Promise<void>((done) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          `POST /v1/systems HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n`,
        )
      })
      // A byte now and then keeps the connection from being idle, but not from its deadline.
      const drip = setInterval(() => socket.write(' '), 100)
      socket.on('error', () => {})
      socket.on('close', () => {
        clearInterval(drip)
        done()
      })
    })
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  })
})
