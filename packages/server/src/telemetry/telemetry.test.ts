import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/testing/simulated-clock.ts'
import { localServer } from '../testing/local-server.ts'
import { until } from '../testing/until.ts'
import { Exporter } from './exporter.ts'
import { parentOf, Telemetry } from './telemetry.ts'

// biome-ignore lint/suspicious/noExplicitAny: the JSON of another's format
type Json = any

/** Takes what is sent over OTLP/HTTP; `status` is what it answers. */
async function receiver() {
  const state = { status: 200, bodies: [] as { path: string; headers: object; body: Json }[] }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { url: path = '', headers } = request
    if (state.status === 200) state.bodies.push({ path, headers, body: JSON.parse(text) })
    response.writeHead(state.status).end('{}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  afterAll(() => new Promise((done) => server.close(done)))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, state }
}

const spansOf = (bodies: Json[]): Json[] =>
  bodies.flatMap(({ body }) => body.resourceSpans?.[0].scopeSpans[0].spans ?? [])
const linesOf = (bodies: Json[]): Json[] =>
  bodies.flatMap(({ body }) => body.resourceLogs?.[0].scopeLogs[0].logRecords ?? [])

describe('a server with telemetry', async () => {
  const { url, state } = await receiver()
  const server = await localServer({
    logLevel: 'info',
    telemetry: { url: `${url}/`, headers: { 'x-tenant': 'works' }, service: 'boat' },
  })
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'

  it('sends a span for each request and each commit, in the trace of the caller', async () => {
    const answer = await fetch(`${server.url}/v1/systems/plant/samples?secret=1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: `00-${trace}-00f067aa0ba902b7-01` },
      body: '{"values":[1,2]}',
    })
    expect(answer.status).toBe(200)
    const spans = await until(
      () => spansOf(state.bodies),
      (found) => found.some(({ name }) => name.includes('samples')) && found.some(({ name }) => name === 'log.commit'),
    )
    const span = spans.find(({ name }) => name.includes('samples'))
    expect(span).toMatchObject({
      ...{ traceId: trace, parentSpanId: '00f067aa0ba902b7', spanId: expect.stringMatching(/^[0-9a-f]{16}$/) },
      ...{ name: 'POST /v1/systems/:id/samples', kind: 2, status: {} },
    })
    expect(span.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: '200' } })
    expect(span.attributes).toContainEqual({ key: 'pb_oel.system', value: { stringValue: 'plant' } })
    expect(JSON.stringify(state.bodies)).not.toContain('secret=1')
    const [begin, end] = [span.startTimeUnixNano, span.endTimeUnixNano].map(BigInt)
    expect(end - begin).toBeGreaterThan(0n)
    expect(Math.abs(Number(end / 1_000_000n) - Date.now())).toBeLessThan(60_000)
    const { headers, body } = state.bodies[0]
    expect(headers).toMatchObject({ 'x-tenant': 'works', 'content-type': 'application/json' })
    const { resource } = (body.resourceSpans ?? body.resourceLogs)[0]
    expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'boat' } })
  })

  it('sends the lines of its log, those of a request in its trace', async () => {
    await new Promise<void>((done) => {
      const headers = { host: 'elsewhere', traceparent: `00-${trace}-00f067aa0ba902b7-01` }
      request(`${server.url}/v1/systems`, { headers }, (response) => response.resume().on('end', done)).end()
    })
    const lines = await until(
      () => linesOf(state.bodies),
      (found) => found.some(({ severityText }) => severityText === 'WARN') && found.length > 1,
    )
    expect(lines.find(({ severityText }) => severityText === 'WARN')).toMatchObject({
      ...{ body: { stringValue: 'request' }, severityNumber: 13, traceId: trace },
    })
    expect(lines.some(({ body }) => body.stringValue === 'store')).toBe(true)
  })
})

it('telemetry that cannot be sent is kept for a while, then dropped and counted, and said once', async () => {
  const { url, state } = await receiver()
  const clock = new SimulatedClock()
  const troubles: [string, number][] = []
  const body = (entries: readonly number[]) => ({ entries })
  const onTrouble = (...trouble: [string, number]) => void troubles.push(trouble)
  const exporter = new Exporter<number>({ url, headers: {}, clock, body, onTrouble })
  state.status = 503
  for (let i = 0; i < 8_200; i++) exporter.add(i)
  await until(
    () => troubles,
    (found) => found.length === 1,
  )
  state.status = 200
  await exporter.close()
  const sent = state.bodies.flatMap(({ body }) => body.entries)
  expect(sent).toEqual(Array.from({ length: 8_192 }, (_, i) => i + 8))
  expect(troubles[0][0]).toBe('the receiver answered 503')
})

describe('a batch that was not taken', async () => {
  const clock = new SimulatedClock()
  const { url, state } = await receiver()
  const troubles: [string, number][] = []
  const exporter = new Exporter<number>({
    ...{ url, headers: {}, clock, body: (entries) => ({ entries }) },
    onTrouble: (...trouble) => void troubles.push(trouble),
  })
  const add = async (entry: number, status: number) => {
    const { length } = troubles
    state.status = status
    exporter.add(entry)
    await clock.advance(10_000)
    await until(
      () => troubles,
      (found) => found.length > length,
    )
  }
  const sent = () => state.bodies.flatMap(({ body }) => body.entries)
  const recover = async (entry: number) => {
    state.status = 200
    exporter.add(entry)
    await clock.advance(10_000)
    await until(sent, (found) => found.includes(entry))
  }

  it.each([400, 401, 404, 500])('is dropped and counted after %d: the same would be refused again', async (status) => {
    const lost = troubles.at(-1)?.[1] ?? 0
    await add(status, status)
    expect(troubles.at(-1)).toEqual([`the receiver answered ${status}`, lost + 1])
    await recover(1_000 + status)
    expect(sent()).not.toContain(status)
  })

  it.each([429, 502, 503, 504])('is sent again after %d, five seconds later', async (status) => {
    const lost = troubles.at(-1)?.[1]
    await add(status, status)
    expect(troubles.at(-1)).toEqual([`the receiver answered ${status}`, lost])
    await recover(1_000 + status)
    expect(sent()).toContain(status)
  })
})

it('a share of the traces is sent, by their ids alone, and those that failed always', async () => {
  const { url, state } = await receiver()
  const telemetry = new Telemetry({ url, share: 0.5 }, new SimulatedClock())
  const tell = (end: string, failed?: boolean) => {
    const traceId = `${'0'.repeat(24)}${end}`
    telemetry.span({ name: `${end} ${failed}`, kind: 'internal', attributes: {}, failed }, 1, { traceId })
  }
  for (const end of ['00000000', '7fffffff', '80000000', 'ffffffff']) tell(end)
  tell('ffffffff', true)
  await telemetry.close()
  expect(spansOf(state.bodies).map(({ name }) => name)).toEqual([
    ...['00000000 undefined', '7fffffff undefined', 'ffffffff true'],
  ])
})

it('lines of the log keep how grave they are, and what is no plain value as JSON', async () => {
  const { url, state } = await receiver()
  const telemetry = new Telemetry({ url }, new SimulatedClock())
  for (const level of [20, 30, 40, 50, 60]) {
    telemetry.line(JSON.stringify({ level, time: 1, msg: 'x', pid: 1, hostname: 'h', system: 'a', list: [1] }))
  }
  await telemetry.close()
  const lines = linesOf(state.bodies)
  expect(lines.map(({ severityText }) => severityText)).toEqual(['DEBUG', 'INFO', 'WARN', 'ERROR', 'ERROR'])
  expect(lines[0].attributes).toEqual([
    { key: 'system', value: { stringValue: 'a' } },
    { key: 'list', value: { stringValue: '[1]' } },
  ])
})

it('only a traceparent as W3C has it is a parent', () => {
  const good = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  expect(parentOf(good)).toEqual({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) })
  for (const bad of [
    undefined,
    '',
    'x',
    good.toUpperCase(),
    good.replace(/a/g, '0'),
    good.replace(/b/g, '0'),
    `${good}-x`,
  ])
    expect(parentOf(bad)).toBeUndefined()
})
