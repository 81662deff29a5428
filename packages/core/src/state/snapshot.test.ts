import zlib from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SnapshotError } from '../errors.ts'
import { crc32, openSnapshot, writeSnapshot } from './snapshot.ts'
import { type Stateful, type StateIo, StateWriter, WideningReader } from './state-io.ts'

class Thing implements Stateful {
  n = 0
  on = false
  word = ''
  list = new Float64Array(0)
  fixed = new Int32Array(3)

  transfer(io: StateIo): void {
    this.n = io.number(this.n)
    this.on = io.boolean(this.on)
    this.word = io.text(this.word)
    this.list = io.array(this.list)
    io.fill(this.fixed)
  }
}

const anyThing = fc
  .record({
    n: fc.double(),
    on: fc.boolean(),
    word: fc.string({ unit: 'grapheme' }),
    list: fc.array(fc.double()),
    fixed: fc.tuple(fc.integer(), fc.integer(), fc.integer()),
  })
  .map((fields) =>
    Object.assign(new Thing(), fields, { list: Float64Array.from(fields.list), fixed: Int32Array.from(fields.fixed) }),
  )

describe('a snapshot', () => {
  it('gives back every state', () => {
    fc.assert(
      fc.property(anyThing, (thing) => {
        const { method, options, into } = openSnapshot(writeSnapshot('thing', { a: [1] }, thing))
        expect([method, options]).toEqual(['thing', { a: [1] }])
        expect(into(new Thing())).toEqual(thing)
      }),
    )
  })

  it('refuses every damaged or cut copy of itself', () => {
    const bytes = writeSnapshot('thing', {}, Object.assign(new Thing(), { list: Float64Array.of(1, 2, 3), word: 'x' }))
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const damaged = bytes.slice()
        damaged[at] ^= flip
        expect(() => openSnapshot(damaged).into(new Thing())).toThrow(SnapshotError)
        expect(() => openSnapshot(bytes.slice(0, at))).toThrow(SnapshotError)
      }),
    )
  })

  it('refuses the snapshot of another method, and a state that does not fit', () => {
    const bytes = writeSnapshot('thing', {}, new Thing())
    expect(() => openSnapshot(bytes, 'other')).toThrow('snapshot of thing, not of other')
    const longer = {
      transfer(io: StateIo) {
        for (const thing of [new Thing(), new Thing()]) thing.transfer(io)
      },
    }
    expect(() => openSnapshot(bytes).into(longer)).toThrow(SnapshotError)
    expect(() => openSnapshot(bytes).into({ transfer: () => {} })).toThrow('too many')
  })

  it('has the bytes that every release reads: "PBOL", 1, the checksum, then little-endian text and numbers', () => {
    const rest = Buffer.alloc(8 + 5 + 8 + 2 + 8 + 1 + 8 + 8 + 12)
    rest.writeDoubleLE(5, 0)
    rest.write('thing', 8)
    rest.writeDoubleLE(2, 13)
    rest.write('{}', 21)
    rest.writeDoubleLE(0.5, 23)
    rest[31] = 1
    rest.writeInt32LE(-7, 56)
    const head = Buffer.alloc(12)
    head.write('PBOL')
    head.writeUInt32LE(1, 4)
    head.writeUInt32LE(zlib.crc32(rest), 8)
    const thing = Object.assign(new Thing(), { n: 0.5, on: true, fixed: Int32Array.of(0, 0, -7) })
    expect(Buffer.from(writeSnapshot('thing', {}, thing)).toString('hex')).toBe(
      Buffer.concat([head, rest]).toString('hex'),
    )
  })

  it('is read where there is a level more, also where its levels are padded', () => {
    const writer = new StateWriter()
    writer.perLevel(Float64Array.of(1, 2, 3, 4, 0, 0, 0, 0))
    writer.number(7)
    const reader = new WideningReader(writer.finish())
    const wider = new Float64Array(8).fill(9)
    reader.perLevel(wider, 2, 4, 8)
    expect([...wider, reader.number()]).toEqual([1, 2, 3, 4, 9, 9, 9, 9, 7])
  })

  it('uses the CRC-32 of IEEE 802.3', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926)
    fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => crc32(bytes) === zlib.crc32(bytes)))
  })
})
