import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Clock } from '../clock/clock.ts'
import { Exporter } from './exporter.ts'
import { type LogLine, logsBody, type Span, tracesBody } from './otlp.ts'

/** Where telemetry goes. */
export interface TelemetryOptions {
  /** Such as `http://127.0.0.1:4318`; `/v1/traces` and `/v1/logs` are added. */
  url: string
  headers?: Record<string, string>
  /** What the server is called. Default `pb-oel`. */
  service?: string
  /** Share of the traces that are sent, 0 to 1; errors always are. Default 1. */
  share?: number
}

/** A trace that a piece of work belongs to. */
export interface TraceContext {
  traceId: string
  spanId: string
}

const LEVELS: Readonly<Record<number, LogLine['severity']>> = {
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'error',
}

/** Traces and log lines for OpenTelemetry, off unless configured. */
export class Telemetry {
  private readonly spans: Exporter<Span>
  private readonly lines: Exporter<LogLine>
  private readonly clock: Clock
  private readonly share: number
  /** Called when telemetry cannot be sent. */
  onTrouble: (reason: string, lost: number) => void = () => {}

  constructor({ url, headers = {}, service = 'pb-oel', share = 1 }: TelemetryOptions, clock: Clock) {
    this.clock = clock
    this.share = share
    const resource = { 'service.name': service, 'host.name': hostname(), 'process.pid': process.pid }
    const base = url.replace(/\/+$/, '')
    const onTrouble = (reason: string, lost: number) => this.onTrouble(reason, lost)
    const common = { headers, clock, onTrouble }
    this.spans = new Exporter({ ...common, url: `${base}/v1/traces`, body: (spans) => tracesBody(resource, spans) })
    this.lines = new Exporter({ ...common, url: `${base}/v1/logs`, body: (lines) => logsBody(resource, lines) })
  }

  /** Tells of a piece of work that took so many milliseconds until now. */
  span(
    told: Pick<Span, 'name' | 'kind' | 'attributes' | 'failed'>,
    milliseconds: number,
    context?: Partial<TraceContext> & { parent?: string },
  ): void {
    const { traceId = newTraceId(), spanId = newSpanId(), parent } = context ?? {}
    if (!told.failed && !this.chosen(traceId)) return
    const end = this.clock.wall()
    this.spans.add({
      ...told,
      traceId,
      spanId,
      ...(parent && { parentSpanId: parent }),
      start: end - milliseconds,
      end,
    })
  }

  /** Tells of a line of the server's own log, as pino writes it. */
  line(text: string): void {
    const { level, time, msg = '', pid: _pid, hostname: _hostname, traceId, spanId, ...fields } = JSON.parse(text)
    const attributes = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, isPlain(value) ? value : JSON.stringify(value)]),
    )
    const ids = traceId === undefined ? {} : { traceId, spanId }
    this.lines.add({ time, severity: LEVELS[level] ?? 'info', text: msg, attributes, ...ids })
  }

  /** Sends what is left. */
  async close(): Promise<void> {
    await Promise.all([this.spans.close(), this.lines.close()])
  }

  /** Whether a trace is among those that are sent: every server that meets it decides alike. */
  private chosen(traceId: string): boolean {
    return Number.parseInt(traceId.slice(-8), 16) < this.share * 2 ** 32
  }
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

export function newTraceId(): string {
  return randomBytes(16).toString('hex')
}

export function newSpanId(): string {
  return randomBytes(8).toString('hex')
}

/** The context of a caller (W3C Trace Context, version 00); `undefined` where there is none. */
export function parentOf(header: string | string[] | undefined): TraceContext | undefined {
  const [, traceId, spanId] =
    (typeof header === 'string' && /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(header)) || []
  return traceId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId) ? undefined : { traceId, spanId }
}
