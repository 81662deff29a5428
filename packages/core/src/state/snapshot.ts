import { SnapshotError } from '../errors.ts'
import { type Stateful, StateReader, StateWriter, WideningReader } from './state-io.ts'

/** First bytes of every snapshot: "PBOL". */
const MAGIC = [0x50, 0x42, 0x4f, 0x4c]
/** Raised whenever a layout changes in a way that older readers cannot read. */
const VERSION = 1
const HEADER = 12

/**
 * The bytes of a snapshot: magic, version, CRC-32 of the rest, then method name, options as JSON and the state.
 *
 * @param method name in the register of methods, such as `pb-oel`
 * @param options what the constructor was given, as JSON values
 */
export function writeSnapshot(method: string, options: unknown, state: Stateful): Uint8Array {
  const writer = new StateWriter()
  writer.fill(new Uint8Array(HEADER))
  writer.text(method)
  writer.text(JSON.stringify(options))
  state.transfer(writer)
  const bytes = writer.finish()
  bytes.set(MAGIC)
  const view = new DataView(bytes.buffer)
  view.setUint32(4, VERSION, true)
  view.setUint32(8, crc32(bytes.subarray(HEADER)), true)
  return bytes
}

/** A checked snapshot: who wrote it, with which options, and the state, to be loaded once into a fresh component. */
export interface OpenSnapshot {
  readonly method: string
  // biome-ignore lint/suspicious/noExplicitAny: options are checked again by the constructor that receives them
  readonly options: any
  /** Loads the state into a component made with `options`, and returns the component. */
  into<S extends Stateful>(state: S): S
  /** The same for a component made with one level more. */
  widenInto<S extends Stateful>(state: S): S
}

/**
 * Checks magic, version and checksum and reads the head of a snapshot.
 *
 * @param method when given, the method the snapshot must belong to
 */
export function openSnapshot(bytes: Uint8Array, method?: string): OpenSnapshot {
  if (bytes.length < HEADER || MAGIC.some((byte, i) => bytes[i] !== byte)) throw new SnapshotError('not a snapshot')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const version = view.getUint32(4, true)
  if (version !== VERSION) throw new SnapshotError(`snapshot version ${version}; this release reads ${VERSION}`)
  const body = bytes.subarray(HEADER)
  if (view.getUint32(8, true) !== crc32(body)) throw new SnapshotError('snapshot damaged: wrong checksum')
  const reader = new StateReader(body)
  const name = reader.text()
  if (method !== undefined && name !== method) throw new SnapshotError(`snapshot of ${name}, not of ${method}`)
  const options = JSON.parse(reader.text())
  return {
    method: name,
    options,
    into: (state) => load(state, reader),
    widenInto: (state) => load(state, new WideningReader(reader.rest)),
  }
}

function load<S extends Stateful>(state: S, reader: StateReader): S {
  state.transfer(reader)
  reader.end()
  return state
}

/** CRC-32 of a byte followed by 0 … 7 zero bytes, 256 entries each. */
const CRC_TABLES = new Int32Array(8 * 256)
for (let byte = 0; byte < 256; byte++) {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  CRC_TABLES[byte] = value
}
for (let i = 256; i < CRC_TABLES.length; i++) {
  const before = CRC_TABLES[i - 256]
  CRC_TABLES[i] = CRC_TABLES[before & 0xff] ^ (before >>> 8)
}

/** CRC-32 (IEEE 802.3), eight bytes per step; 0xcbf43926 for "123456789". */
export function crc32(bytes: Uint8Array): number {
  const tables = CRC_TABLES
  const { length } = bytes
  let crc = -1
  let i = 0
  for (; i + 8 <= length; i += 8) {
    crc ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24)
    crc =
      tables[0x700 + (crc & 0xff)] ^
      tables[0x600 + ((crc >>> 8) & 0xff)] ^
      tables[0x500 + ((crc >>> 16) & 0xff)] ^
      tables[0x400 + (crc >>> 24)] ^
      tables[0x300 + bytes[i + 4]] ^
      tables[0x200 + bytes[i + 5]] ^
      tables[0x100 + bytes[i + 6]] ^
      tables[bytes[i + 7]]
  }
  for (; i < length; i++) crc = tables[(crc ^ bytes[i]) & 0xff] ^ (crc >>> 8)
  return ~crc >>> 0
}
