import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ChildServer, freePort } from '../../packages/server/src/testing/child-server.ts'
import { until } from '../../packages/server/src/testing/until.ts'
import { buildCollector, buildTelegraf, CAN_BUILD_GO } from '../testing/go-program.ts'

/** The versions that docs/connect.md and docs/server.md name. */
const [TELEGRAF, COLLECTOR] = ['1.37.2', '0.160.0']
const SYSTEM = { id: 'tank', channels: ['pressure', 'temperature'], levels: ['safe', 'unsafe'], method: 'majority' }

describe.skipIf(!CAN_BUILD_GO)('programs of others (needs Go and its module proxy)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-peers-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Starts a program; what it says is collected. */
  const started = (program: string, args: string[]) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const said = { text: '' }
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said.text += chunk))
    const end = () => new Promise((done) => child.once('exit', done).kill('SIGTERM'))
    return { said, end }
  }

  it(`Telegraf ${TELEGRAF} writes points as it writes them to InfluxDB`, { timeout: 1_800_000 }, async () => {
    const program = buildTelegraf(TELEGRAF)
    const server = await ChildServer.start({ store: join(folder, 'telegraf.db'), port: 0, systems: [SYSTEM] })
    const config = join(folder, 'telegraf.conf')
    writeFileSync(
      config,
      `[agent]
  interval = "200ms"
  flush_interval = "500ms"
  precision = "1ms"
[[inputs.mock]]
  metric_name = "hall"
  [[inputs.mock.constant]]
    name = "pressure"
    value = 1.5
  [[inputs.mock.step]]
    name = "temperature"
    start = 20.0
    step = 1.0
[[outputs.influxdb_v2]]
  urls = ["${server.url}"]
  token = "any"
  organization = "any"
  bucket = "tank"
`,
    )
    const telegraf = started(program, ['--config', config])
    const kept = async () => (await (await fetch(`${server.url}/v1/systems/tank/samples`)).json()).samples
    const samples = await until(kept, (found) => found.length >= 10)
    await telegraf.end()
    expect(telegraf.said.text).not.toMatch(/ E! /)
    const temperatures = samples.map(({ values }: { values: number[] }) => values[1])
    expect(samples.every(({ values }: { values: number[] }) => values[0] === 1.5)).toBe(true)
    expect(temperatures).toEqual(temperatures.map((_: number, i: number) => temperatures[0] + i))
    await server.stop()
  })

  it(`the collector of OpenTelemetry ${COLLECTOR} takes spans and log lines`, { timeout: 1_800_000 }, async () => {
    const program = buildCollector(COLLECTOR)
    const port = await freePort()
    const config = join(folder, 'collector.yaml')
    writeFileSync(
      config,
      JSON.stringify({
        receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
        exporters: { debug: { verbosity: 'detailed' } },
        service: {
          telemetry: { metrics: { level: 'none' } },
          pipelines: {
            traces: { receivers: ['otlp'], exporters: ['debug'] },
            logs: { receivers: ['otlp'], exporters: ['debug'] },
          },
        },
      }),
    )
    const collector = started(program, ['--config', config])
    await until(
      () => collector.said.text,
      (text) => text.includes('Everything is ready'),
    )
    const telemetry = { url: `http://127.0.0.1:${port}`, service: 'boat' }
    const options = {
      store: join(folder, 'traced.db'),
      port: 0,
      systems: [SYSTEM],
      logLevel: 'info' as const,
      telemetry,
    }
    const server = await ChildServer.start(options)
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const headers = { 'content-type': 'application/json', traceparent: `00-${trace}-00f067aa0ba902b7-01` }
    await fetch(`${server.url}/v1/systems/tank/samples`, { method: 'POST', headers, body: '{"values":[1,2]}' })
    await server.stop()
    const text = await until(
      () => collector.said.text,
      (said) => said.includes('POST /v1/systems/:id/samples') && said.includes('Server listening'),
    )
    await collector.end()
    expect(text).toMatch(/Trace ID\s*: 4bf92f3577b34da6a3ce929d0e0e4736/)
    expect(text).toMatch(/Parent ID\s*: 00f067aa0ba902b7/)
    expect(text).toMatch(/Kind\s*: Server/)
    expect(text).toContain('service.name: Str(boat)')
    expect(text).toContain('http.response.status_code: Int(200)')
    expect(text).toContain('Body: Str(store)')
    expect(text).toContain('SeverityText: INFO')
    expect(text).toMatch(/Name\s*: log\.commit/)
  })
})
