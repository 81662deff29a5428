import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { newTurns, takeTurn } from './turns.ts'

describe('turns', () => {
  it('give every network of a turn to the caller when nobody else joins', () => {
    const turns = newTurns()
    for (const [first, last] of [
      [0, 5],
      [2, 9],
      [4, 4],
      [0, 1],
    ]) {
      const updated: number[] = []
      takeTurn(turns, first, last, (from, to) => {
        expect(to).toBe(from + 1)
        updated.push(from)
      })
      expect(updated).toEqual(Array.from({ length: last - first }, (_, i) => first + i))
    }
  })

  it('give every network to exactly one of four threads, turn after turn of changing length', async () => {
    const turns = newTurns()
    const counts = new Int32Array(new SharedArrayBuffer(4 * 64))
    const file = new URL('./testing/counting-thread.ts', import.meta.url)
    const workers = [1, 2, 3].map(() => new Worker(file, { workerData: { turns, counts } }))
    await Promise.all(workers.map((worker) => new Promise((started) => worker.once('message', started))))
    const expected = new Int32Array(64)
    for (let n = 0; n < 3000; n++) {
      const first = n % 5
      const last = first + 1 + ((n * 7) % 59)
      for (let i = first; i < last; i++) expected[i]++
      takeTurn(turns, first, last, (network) => Atomics.add(counts, network, 1))
      // All are done when the turn is over.
      if (n % 100 === 0) expect(counts).toEqual(expected)
    }
    expect(counts).toEqual(expected)
    await Promise.all(workers.map((worker) => worker.terminate()))
  })
})
