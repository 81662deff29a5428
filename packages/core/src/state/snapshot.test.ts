import zlib from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SnapshotError } from '../errors.ts'
import { crc32, openSnapshot, writeSnapshot } from './snapshot.ts'
import type { Stateful, StateIo } from './state-io.ts'

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

  it('uses the CRC-32 of IEEE 802.3', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926)
    fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => crc32(bytes) === zlib.crc32(bytes)))
  })
})
