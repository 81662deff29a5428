import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { joinTurns, newTurns, type Turns, takeTurn } from './turns.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Words of the turns, as turns.ts has them. */
const [TURN, TICKETS, LAST, , DONE] = [0, 1, 2, 3, 4]

/** Calls back for each look at a word of the turns, with its number; no test looks a million times. */
function onLook(look: (count: number) => void): void {
  const { load } = Atomics
  let count = 0
  vi.spyOn(Atomics, 'load').mockImplementation(((turns: Turns, word: number) => {
    if (++count > 1e6) throw new Error('looks without end')
    look(count)
    return load(turns, word)
  }) as typeof Atomics.load)
}

/** Calls back where the caller would sleep until another thread does something. */
function onSleep(sleep: (word: number, value: number) => void) {
  return vi.spyOn(Atomics, 'wait').mockImplementation(((_: Turns, word: number, value: number) => {
    sleep(word, value)
    return 'ok'
  }) as never)
}

describe('turns', () => {
  it('are counted and told of, and their end is', () => {
    const turns = newTurns()
    const told = vi.spyOn(Atomics, 'notify')
    for (const count of [3, 2]) {
      takeTurn(turns, 0, count, () => {})
      expect(told.mock.calls).toEqual([
        [turns, TURN],
        [turns, DONE],
      ])
      told.mockClear()
    }
    expect(Atomics.load(turns, TURN)).toBe(2)
  })

  it('last until a thread that drew a ticket is done, which the caller looks for and then sleeps on', () => {
    const turns = newTurns()
    takeTurn(turns, 0, 9, () => {})
    let stolen = 0
    /** Another thread draws the ticket behind the first one. */
    const steal = () => {
      if (stolen++ === 0) Atomics.sub(turns, TICKETS, 1)
    }
    const slept = onSleep(() => Atomics.add(turns, DONE, 1))
    onLook(() => {})
    takeTurn(turns, 0, 3, steal)
    expect([slept.mock.calls, stolen]).toEqual([[[turns, DONE, 2]], 2])
    stolen = 0
    slept.mockClear()
    vi.mocked(Atomics.load).mockRestore()
    // It is done while the caller looks.
    onLook((count) => count === 1_000 && Atomics.add(turns, DONE, 1))
    takeTurn(turns, 0, 3, steal)
    expect([slept.mock.calls, stolen]).toEqual([[], 2])
  })

  it('are joined one after the other, with sleep between them', () => {
    const turns = newTurns()
    const updated: number[] = []
    const begin = (last: number, tickets: number) => {
      Atomics.store(turns, LAST, last)
      Atomics.store(turns, TICKETS, tickets)
      Atomics.add(turns, TURN, 1)
    }
    begin(7, 2)
    onLook(() => {})
    const slept = onSleep((_, turn) => {
      if (turn === 2) throw new Error('no more turns')
      begin(4, 3)
    })
    expect(() => joinTurns(turns, (network) => updated.push(network))).toThrow('no more turns')
    expect(updated).toEqual([5, 6, 1, 2, 3])
    expect(slept.mock.calls).toEqual([
      [turns, TURN, 1],
      [turns, TURN, 2],
    ])
  })

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
