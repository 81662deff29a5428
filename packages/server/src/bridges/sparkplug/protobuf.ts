import { InvalidRequest } from '../../errors.ts'

/** A field of a Protocol Buffers message: its number, and its value as the wire has it. */
export interface WireField {
  number: number
  /** Varint, or the bits of a fixed one. */
  bits: bigint
  /** What a length stood before. */
  bytes: Buffer
}

const NOTHING = Buffer.alloc(0)
const BROKEN = 'message: expected Protocol Buffers'

/**
 * The fields of a message of Protocol Buffers, in their order. Sparkplug needs a dozen fields of one message: this is
 * all of the format that they use.
 */
export function* fieldsOf(message: Buffer): Generator<WireField> {
  let place = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (place >= message.length) throw new InvalidRequest(`${BROKEN}, got an end within a number`)
      const byte = message[place++]
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw new InvalidRequest(`${BROKEN}, got a number of more than 10 bytes`)
  }
  const take = (length: number): Buffer => {
    if (place + length > message.length) throw new InvalidRequest(`${BROKEN}, got an end within a field`)
    place += length
    return message.subarray(place - length, place)
  }
  while (place < message.length) {
    const tag = varint()
    const number = Number(tag >> 3n)
    const kind = Number(tag & 7n)
    if (kind === 0) yield { number, bits: varint(), bytes: NOTHING }
    else if (kind === 1) yield { number, bits: take(8).readBigUInt64LE(), bytes: NOTHING }
    else if (kind === 5) yield { number, bits: BigInt(take(4).readUInt32LE()), bytes: NOTHING }
    else if (kind === 2) yield { number, bits: 0n, bytes: take(Number(varint())) }
    else throw new InvalidRequest(`${BROKEN}, got a field of kind ${kind}`)
  }
}

/** A field with a length before it. */
export function lengthField(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varintField(number, 2, BigInt(bytes.length)), bytes])
}

/** A field that is a number. */
export function numberField(number: number, value: bigint): Buffer {
  return varintField(number, 0, value)
}

function varintField(number: number, kind: number, value: bigint): Buffer {
  return Buffer.concat([varintBytes(BigInt(number * 8 + kind)), varintBytes(value)])
}

function varintBytes(value: bigint): Buffer {
  const bytes: number[] = []
  let left = value
  for (; left > 0x7fn; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80)
  return Buffer.from([...bytes, Number(left)])
}
