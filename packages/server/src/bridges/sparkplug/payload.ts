import { fieldsOf, lengthField, numberField } from './protobuf.ts'

/** A metric of a payload, as far as an assessment needs it. */
export interface Metric {
  name?: string
  alias?: bigint
  /** Milliseconds since 1970. */
  timestamp?: number
  datatype?: number
  /** Told after the fact: it is not how things are now. */
  historical: boolean
  /** A number, null where the source has none, `undefined` where it is no number. */
  value: number | null | undefined
  /** A whole number as the wire had it: its sign is that of its type. */
  whole?: bigint
}

/** A payload of Sparkplug B. */
export interface Payload {
  timestamp?: number
  seq?: number
  metrics: Metric[]
}

/** Bits of the signed types of Sparkplug: Int8, Int16, Int32, Int64. */
const SIGNED: Readonly<Record<number, number>> = { 1: 8, 2: 16, 3: 32, 4: 64 }
const BOOLEAN = 11
/** The quality of a value that can be used. */
const GOOD = 192n

/** Reads a payload of Sparkplug B 3.0, section 6.4. */
export function readPayload(bytes: Buffer): Payload {
  const payload: Payload = { metrics: [] }
  for (const { number, bits, bytes: inner } of fieldsOf(bytes)) {
    if (number === 1) payload.timestamp = Number(bits)
    else if (number === 2) payload.metrics.push(readMetric(inner))
    else if (number === 3) payload.seq = Number(bits)
  }
  return payload
}

function readMetric(bytes: Buffer): Metric {
  const metric: Metric = { historical: false, value: undefined }
  let [isNull, bad] = [false, false]
  for (const { number, bits, bytes: inner } of fieldsOf(bytes)) {
    if (number === 1) metric.name = inner.toString()
    else if (number === 2) metric.alias = bits
    else if (number === 3) metric.timestamp = Number(bits)
    else if (number === 4) metric.datatype = Number(bits)
    else if (number === 5) metric.historical = bits !== 0n
    else if (number === 7) isNull = bits !== 0n
    else if (number === 9) bad = isBad(inner)
    else if (number === 10 || number === 11) metric.whole = bits
    else if (number === 12) metric.value = floatOf(bits)
    else if (number === 13) metric.value = doubleOf(bits)
    else if (number === 14) metric.value = bits === 0n ? 0 : 1
  }
  if (metric.whole !== undefined) metric.value = signed(metric.whole, metric.datatype)
  // NaN and infinity are no readings.
  if (isNull || bad || (metric.value !== undefined && !Number.isFinite(metric.value))) metric.value = null
  return metric
}

/** A whole number in its type; a metric that is known by its alias has the type of its birth. */
export function signed(whole: bigint, datatype: number | undefined): number {
  const bits = SIGNED[datatype ?? 0]
  return Number(bits === undefined ? whole : BigInt.asIntN(bits, whole))
}

/** Whether the properties of a metric say that its value cannot be used. */
function isBad(properties: Buffer): boolean {
  const keys: string[] = []
  const values: bigint[] = []
  for (const { number, bytes } of fieldsOf(properties)) {
    if (number === 1) keys.push(bytes.toString())
    else if (number === 2) values.push([...fieldsOf(bytes)].find((field) => field.number === 3)?.bits ?? GOOD)
  }
  const quality = values[keys.indexOf('Quality')]
  return quality !== undefined && quality !== GOOD
}

function floatOf(bits: bigint): number {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(Number(bits))
  return bytes.readFloatLE()
}

function doubleOf(bits: bigint): number {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(bits)
  return bytes.readDoubleLE()
}

/** The command that asks an edge node to tell everything anew. */
export function rebirthCommand(now: number): Buffer {
  const time = BigInt(Math.round(now))
  const metric = Buffer.concat([
    lengthField(1, Buffer.from('Node Control/Rebirth')),
    ...[numberField(3, time), numberField(4, BigInt(BOOLEAN)), numberField(14, 1n)],
  ])
  return Buffer.concat([numberField(1, time), lengthField(2, metric)])
}
