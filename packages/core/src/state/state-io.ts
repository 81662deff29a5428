import { SnapshotError } from '../errors.ts'

/**
 * One description of a state for both directions. A component lists its fields once, in `transfer`. When it is saved,
 * each call stores a value and returns it; when it is loaded, the call returns what was stored. So the two cannot
 * differ.
 *
 * @example
 * import type { StateIo } from '@pb-oel/core'
 * class Counter {
 *   n = 0
 *   transfer(io: StateIo): void {
 *     this.n = io.number(this.n)
 *   }
 * }
 */
export interface StateIo {
  /** True while a state is being loaded. */
  readonly reading: boolean
  /** A float64. */
  number(value: number): number
  /** A flag. */
  boolean(value: boolean): boolean
  /** UTF-8 text. */
  text(value: string): string
  /** The contents of an array whose length both sides know; filled in place when reading. */
  fill(array: Numbers): void
  /**
   * The same for an array with an axis of levels, so that a state can be loaded where there is a level more.
   *
   * @param levels number of levels K
   * @param stride numbers that each level has in one piece; several groups of K × stride may follow each other
   * @param multiple the array is padded to a multiple of this
   */
  perLevel(array: Numbers, levels: number, stride?: number, multiple?: number): void
  /** An array whose length is part of the state; a new array when reading. */
  array<A extends Numbers>(array: A): A
}

/** The typed arrays a state is made of. */
export type Numbers = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array

/** Something whose state can be saved and loaded. */
export interface Stateful {
  transfer(io: StateIo): void
}

/** Writes a state into a growing buffer, little-endian. */
export class StateWriter implements StateIo {
  readonly reading = false
  private bytes = new Uint8Array(4096)
  private view = new DataView(this.bytes.buffer)
  private length = 0

  number(value: number): number {
    const at = this.take(8)
    this.view.setFloat64(at, value, true)
    return value
  }

  boolean(value: boolean): boolean {
    const at = this.take(1)
    this.bytes[at] = value ? 1 : 0
    return value
  }

  text(value: string): string {
    const bytes = encodeUtf8(value)
    this.number(bytes.length)
    this.fill(bytes)
    return value
  }

  fill(array: Numbers): void {
    const at = this.take(array.byteLength)
    this.bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at)
  }

  perLevel(array: Numbers): void {
    this.fill(array)
  }

  array<A extends Numbers>(array: A): A {
    this.number(array.length)
    this.fill(array)
    return array
  }

  /** Everything written so far. */
  finish(): Uint8Array {
    return this.bytes.slice(0, this.length)
  }

  private take(count: number): number {
    const at = this.length
    this.length += count
    if (this.length > this.bytes.length) {
      const grown = new Uint8Array(Math.max(this.length, this.bytes.length * 2))
      grown.set(this.bytes)
      this.bytes = grown
      this.view = new DataView(grown.buffer)
    }
    return at
  }
}

/** Reads what a {@link StateWriter} wrote; running past the end is a {@link SnapshotError}. */
export class StateReader implements StateIo {
  readonly reading = true
  private readonly bytes: Uint8Array
  private readonly view: DataView
  private at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  number(_value?: number): number {
    return this.view.getFloat64(this.take(8), true)
  }

  boolean(_value?: boolean): boolean {
    return this.bytes[this.take(1)] !== 0
  }

  text(_value?: string): string {
    const bytes = new Uint8Array(this.count(1))
    this.fill(bytes)
    return decodeUtf8(bytes)
  }

  fill(array: Numbers): void {
    const at = this.take(array.byteLength)
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(this.bytes.subarray(at, at + array.byteLength))
  }

  perLevel(array: Numbers, _levels: number, _stride?: number, _multiple?: number): void {
    this.fill(array)
  }

  array<A extends Numbers>(array: A): A {
    const read = arrayLike(array, this.count(array.BYTES_PER_ELEMENT))
    this.fill(read)
    return read
  }

  /** What has not been read yet. */
  get rest(): Uint8Array {
    return this.bytes.subarray(this.at)
  }

  /** Throws unless everything has been read. */
  end(): void {
    if (this.at !== this.bytes.length)
      throw new SnapshotError(`snapshot: ${this.bytes.length - this.at} bytes too many`)
  }

  private count(size: number): number {
    const count = this.number()
    if (!(count >= 0 && count * size <= this.bytes.length - this.at)) {
      throw new SnapshotError(`snapshot: impossible length ${count} at byte ${this.at}`)
    }
    return count
  }

  private take(count: number): number {
    const at = this.at
    this.at += count
    if (this.at > this.bytes.length) throw new SnapshotError(`snapshot: ends early, at byte ${this.bytes.length}`)
    return at
  }
}

/**
 * Loads a state into a component with one level more than the saved one had. What the component says of the new level
 * stays as it was made: nothing is known of it.
 */
export class WideningReader extends StateReader {
  override perLevel(array: Numbers, levels: number, stride = 1, multiple = 1): void {
    const [from, to] = [(levels - 1) * stride, levels * stride]
    const groups = Math.floor(array.length / to)
    const saved = arrayLike(array, Math.ceil((groups * from) / multiple) * multiple)
    this.fill(saved)
    for (let group = 0; group < groups; group++) {
      array.set(saved.subarray(group * from, (group + 1) * from), group * to)
    }
  }
}

function arrayLike<A extends Numbers>(array: A, length: number): A {
  return new (array.constructor as new (length: number) => A)(length)
}

/** UTF-8 by hand: core uses no API of a platform, and the texts are short. */
function encodeUtf8(text: string): Uint8Array {
  const bytes: number[] = []
  for (const character of text) {
    const point = character.codePointAt(0) as number
    if (point < 0x80) bytes.push(point)
    else {
      const tail = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3
      bytes.push(((0xff00 >> (tail + 1)) & 0xff) | (point >> (6 * tail)))
      for (let i = tail - 1; i >= 0; i--) bytes.push(0x80 | ((point >> (6 * i)) & 0x3f))
    }
  }
  return Uint8Array.from(bytes)
}

function decodeUtf8(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i++]
    const tail = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3
    let point = tail === 0 ? lead : lead & (0x3f >> tail)
    for (let j = 0; j < tail; j++) point = (point << 6) | (bytes[i++] & 0x3f)
    text += String.fromCodePoint(point)
  }
  return text
}

/** The state as bytes. */
export function stateBytes(stateful: Stateful): Uint8Array {
  const writer = new StateWriter()
  stateful.transfer(writer)
  return writer.finish()
}
