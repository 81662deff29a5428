import { expect, it } from 'vitest'
import { type LogLine, logsBody, type Span, tracesBody } from './otlp.ts'

// biome-ignore lint/suspicious/noExplicitAny: the JSON of another's format
type Json = any

const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
const span = (more: Partial<Span> = {}): Json => {
  const body: Json = tracesBody({}, [{ ...ids, name: 'x', kind: 'server', start: 1, end: 2, attributes: {}, ...more }])
  return body.resourceSpans[0].scopeSpans[0].spans[0]
}
const line = (more: Partial<LogLine> = {}): Json => {
  const body: Json = logsBody({}, [{ time: 1, severity: 'info', text: 'x', attributes: {}, ...more }])
  return body.resourceLogs[0].scopeLogs[0].logRecords[0]
}

it('kinds of spans, severities and failures have the numbers of OTLP', () => {
  expect((['internal', 'server', 'consumer'] as const).map((kind) => span({ kind }).kind)).toEqual([1, 2, 5])
  const severities = (['debug', 'info', 'warn', 'error'] as const).map((severity) => line({ severity }))
  expect(severities.map(({ severityNumber, severityText }) => [severityNumber, severityText])).toEqual([
    ...[
      [5, 'DEBUG'],
      [9, 'INFO'],
      [13, 'WARN'],
      [17, 'ERROR'],
    ],
  ])
  expect([span().status, span({ failed: true }).status]).toEqual([{}, { code: 2 }])
})

it('times are nanoseconds as texts, to the microsecond', () => {
  const { startTimeUnixNano, endTimeUnixNano } = span({ start: 1_794_736_800_000.25, end: 1_794_736_800_001 })
  expect([startTimeUnixNano, endTimeUnixNano]).toEqual(['1794736800000250000', '1794736800001000000'])
  expect(line({ time: 1_794_736_800_000 }).timeUnixNano).toBe('1794736800000000000')
})

it('attributes say what they are; those that are not known are left out', () => {
  const { attributes } = span({ attributes: { a: 'x', b: 3, c: 0.5, d: false, e: undefined } })
  expect(attributes).toEqual([
    { key: 'a', value: { stringValue: 'x' } },
    { key: 'b', value: { intValue: '3' } },
    { key: 'c', value: { doubleValue: 0.5 } },
    { key: 'd', value: { boolValue: false } },
  ])
})
