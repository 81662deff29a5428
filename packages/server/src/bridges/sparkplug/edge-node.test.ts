import { describe, expect, it } from 'vitest'
import { EdgeNode } from './edge-node.ts'
import { readPayload, rebirthCommand } from './payload.ts'
import { lengthField, numberField } from './protobuf.ts'

/** Fields of a metric by their numbers (Sparkplug B 3.0, section 6.4): texts and bytes with a length, or numbers. */
type Fields = Readonly<Record<number, string | bigint | Buffer | number>>

const encode = (fields: Fields) =>
  Buffer.concat(
    Object.entries(fields).map(([number, value]) =>
      typeof value === 'string' || Buffer.isBuffer(value)
        ? lengthField(Number(number), Buffer.from(value as string))
        : numberField(Number(number), BigInt(value)),
    ),
  )
const metric = (fields: Fields) => lengthField(2, encode(fields))
const payload = (seq: number | undefined, timestamp: number, ...metrics: Fields[]) =>
  Buffer.concat([
    ...[numberField(1, BigInt(timestamp)), ...metrics.map(metric)],
    ...(seq === undefined ? [] : [numberField(3, BigInt(seq))]),
  ])
const bdSeq = (number: number) => ({ 1: 'bdSeq', 4: 8, 11: number })
const read = (fields: Fields) => readPayload(metric(fields)).metrics[0].value
/** Eight bytes or four in a field, as the wire has doubles and floats. */
const fixed = (number: number, bytes: Buffer) =>
  Buffer.concat([Buffer.from([number * 8 + (bytes.length === 8 ? 1 : 5)]), bytes])
const double = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return fixed(13, bytes)
}
const quality = (code: number) =>
  encode({ 9: Buffer.concat([encode({ 1: 'Quality' }), lengthField(2, encode({ 1: 3, 3: code }))]) })

describe('the value of a metric', () => {
  it.each([
    [1, 0xff, -1],
    [2, 0xffff, -1],
    [2, 0x7fff, 32_767],
    [3, 0xffff_ffff, -1],
    [4, 0xffff_ffff_ffff_ffffn, -1],
    [5, 0xff, 255],
    [6, 0xffff, 65_535],
    [7, 0xffff_ffff, 4_294_967_295],
    [8, 0xffff_ffff_ffff_fff0n, 2 ** 64],
  ])('of type %d has the sign of its type: %s is %d', (type, wire, value) => {
    expect(read({ 1: 'm', 4: type, 11: wire })).toBe(value)
  })

  it('is missing where it is null, no finite number, or of another quality than good', () => {
    expect(read({ 1: 'm', 4: 3, 7: 1 })).toBeNull()
    for (const number of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(readPayload(lengthField(2, double(number))).metrics[0].value).toBeNull()
    }
    const told = (code: number) => readPayload(lengthField(2, Buffer.concat([double(2.5), quality(code)]))).metrics[0]
    expect([192, 0, 500].map((code) => told(code).value)).toEqual([2.5, null, null])
  })

  it('is 1 or 0 for truth values, none for texts, and may be of the past', () => {
    expect([read({ 1: 'm', 14: 1 }), read({ 1: 'm', 14: 0 }), read({ 1: 'm', 15: 'x' })]).toEqual([1, 0, undefined])
    const metricOf = (fields: Fields) => readPayload(metric(fields)).metrics[0]
    const [now, then] = [metricOf({ 1: 'm', 14: 1 }), metricOf({ 1: 'm', 5: 1, 14: 1 })]
    expect([now.historical, then.historical]).toEqual([false, true])
  })
})

it('the command for a rebirth is a truth value of its name', () => {
  const { timestamp, metrics } = readPayload(rebirthCommand(5_000))
  expect(timestamp).toBe(5_000)
  expect(metrics).toMatchObject([{ name: 'Node Control/Rebirth', datatype: 11, value: 1, timestamp: 5_000 }])
})

describe('an edge node', () => {
  const born = (birth = 0) => {
    const node = new EdgeNode('g/e')
    const consequence = node.take(
      'NBIRTH',
      undefined,
      payload(0, 100, bdSeq(birth), { 1: 'a', 2: 7, 3: 50, 4: 1, 10: 5 }),
    )
    return { node, consequence }
  }
  const data = (seq: number | undefined, ...metrics: Fields[]) => payload(seq, 200, ...metrics)

  it('tells at its birth what holds now, and then by alias, with the type of its birth', () => {
    const { node, consequence } = born()
    expect(consequence.told?.metrics.find(({ name }) => name === 'a')).toMatchObject({ value: 5, timestamp: 100 })
    const { told } = node.take('NDATA', undefined, data(1, { 2: 7, 10: 0xfe }))
    expect(told).toMatchObject({ device: 'g/e', metrics: [{ name: 'a', value: -2, timestamp: 200 }] })
    expect(node.take('NDATA', undefined, data(2, { 1: 'a', 3: 150, 10: 1 })).told?.metrics[0].timestamp).toBe(150)
  })

  it('counts its messages to 255 and begins anew; one out of turn makes all of it unknown', () => {
    const { node } = born()
    for (let i = 1; i <= 300; i++) expect(node.take('NDATA', undefined, data(i % 256)).rebirth).toBeUndefined()
    expect(node.take('NDATA', undefined, data(46))).toMatchObject({
      gone: ['g/e'],
      rebirth: 'expected message 45, got 46',
    })
    expect(node.take('NDATA', undefined, data(45)).rebirth).toBe('its birth was not heard')
  })

  it('whose device has died has lost it alone; one that was never born is not believed', () => {
    const { node } = born()
    expect(node.take('DBIRTH', 'd', data(1, { 1: 'x', 4: 3, 10: 1 })).told?.device).toBe('g/e/d')
    expect(node.take('DDEATH', 'd', data(2))).toEqual({ gone: ['g/e/d'] })
    expect(node.take('DDEATH', 'd', data(3))).toEqual({})
    expect(node.take('DDATA', 'd', data(4, { 1: 'x', 10: 1 }))).toMatchObject({
      ...{ gone: ['g/e'], rebirth: 'the birth of g/e/d was not heard' },
    })
  })

  it('that is born again has lost its devices until they are, too', () => {
    const { node } = born()
    node.take('DBIRTH', 'd', data(1))
    expect(node.take('NBIRTH', undefined, payload(0, 300, bdSeq(1))).gone).toEqual(['g/e/d'])
  })

  it.each([
    [3, 3, true],
    [3, 2, false],
    [0, 255, false],
    [3, 4, true],
    [200, 72, true],
    [200, 73, false],
  ])('born as %d: the death of connection %d ends it: %s', (birth, death, ends) => {
    const { node } = born(birth)
    const { gone } = node.take('NDEATH', undefined, payload(undefined, 0, bdSeq(death)))
    expect(gone).toEqual(ends ? ['g/e'] : undefined)
  })

  it('whose message comes again is recognised, and another one is not', () => {
    const marks = [1, 2].map((birth) => born(birth).node.take('NDATA', undefined, data(1)).told?.mark)
    expect(born(1).node.take('NDATA', undefined, data(1)).told?.mark).toBe(marks[0])
    expect(new Set(marks).size).toBe(2)
  })
})
