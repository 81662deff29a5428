/**
 * The JSON of OTLP 1.x, as far as the server sends it. Numbers of 64 bits are texts, ids are hexadecimal.
 *
 * https://opentelemetry.io/docs/specs/otlp/
 */

/** What an attribute may hold. */
export type AttributeValue = string | number | boolean

/** A piece of work. Times are milliseconds since 1970. */
export interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: keyof typeof SPAN_KINDS
  start: number
  end: number
  attributes: Record<string, AttributeValue | undefined>
  failed?: boolean
}

/** A line of the server's own log. */
export interface LogLine {
  time: number
  severity: keyof typeof SEVERITIES
  text: string
  attributes: Record<string, AttributeValue | undefined>
  traceId?: string
  spanId?: string
}

const SPAN_KINDS = { internal: 1, server: 2, consumer: 5 }
const SEVERITIES = { debug: 5, info: 9, warn: 13, error: 17 }
const ERROR = 2

/** The body of a request to `/v1/traces`. */
export function tracesBody(resource: Record<string, AttributeValue>, spans: readonly Span[]): object {
  const told = spans.map(({ kind, start, end, attributes, failed = false, ...rest }) => ({
    ...rest,
    kind: SPAN_KINDS[kind],
    ...{ startTimeUnixNano: nanoseconds(start), endTimeUnixNano: nanoseconds(end) },
    attributes: keyValues(attributes),
    status: failed ? { code: ERROR } : {},
  }))
  return {
    resourceSpans: [{ resource: { attributes: keyValues(resource) }, scopeSpans: [{ scope: SCOPE, spans: told }] }],
  }
}

/** The body of a request to `/v1/logs`. */
export function logsBody(resource: Record<string, AttributeValue>, lines: readonly LogLine[]): object {
  const logRecords = lines.map(({ time, severity, text, attributes, ...ids }) => ({
    timeUnixNano: nanoseconds(time),
    ...{ severityNumber: SEVERITIES[severity], severityText: severity.toUpperCase() },
    body: { stringValue: text },
    attributes: keyValues(attributes),
    ...ids,
  }))
  return {
    resourceLogs: [{ resource: { attributes: keyValues(resource) }, scopeLogs: [{ scope: SCOPE, logRecords }] }],
  }
}

const SCOPE = { name: '@pb-oel/server' }

function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1_000)) * 1_000n)
}

function keyValues(attributes: Record<string, AttributeValue | undefined>): object[] {
  return Object.entries(attributes).flatMap(([key, value]): object[] => {
    if (value === undefined) return []
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }]
    if (typeof value === 'boolean') return [{ key, value: { boolValue: value } }]
    return [{ key, value: Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value } }]
  })
}
