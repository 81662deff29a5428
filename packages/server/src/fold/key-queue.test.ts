import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KeyQueue } from './key-queue.ts'

describe('KeyQueue', () => {
  it('does what a Map does whose first key is deleted', () => {
    const step = fc.oneof(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.nat(9)), fc.constant(undefined))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = new KeyQueue<number>()
        const map = new Map<string, number>()
        for (const set of steps) {
          if (set) {
            queue.set(...set)
            map.set(...set)
          } else {
            queue.shift()
            const [first] = map.keys()
            map.delete(first)
          }
          expect([...queue]).toEqual([...map])
          expect([queue.size, queue.oldest, queue.get('a')]).toEqual([map.size, [...map.values()][0], map.get('a')])
        }
      }),
    )
  })
})
