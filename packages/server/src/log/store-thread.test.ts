import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { SetupError, StorageError } from '../errors.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { StoreThread } from './store-thread.ts'

const inside = (store: StoreThread) => store as unknown as { worker: Worker; waiting: Map<number, unknown> }

describe('a store in a thread of its own', () => {
  it('answers calls in their order, with errors by their names, and ends after the last', async () => {
    const file = join(temporaryFolder(), 'thread.db')
    const store = await new StoreThread(file, false).open()
    const append = { system: 'a', first: 1, records: [{ time: 1, kind: 'sample' as const, body: '{}' }] }
    const calls = Promise.all([
      store.call('append', [append]),
      store.call('moveCursor', 'x', 5),
      store.call('cursor', 'x'),
    ])
    expect(await calls).toEqual([[undefined], undefined, 5])
    await expect(store.call('compact', 'a', 1)).rejects.toThrow(StorageError)
    expect(inside(store).waiting.size).toBe(0)
    const last = store.call('systems')
    await store.close()
    expect(await last).toEqual(['a'])
    await expect(store.call('systems')).rejects.toThrow('the thread of the store has ended')
    const reader = await new StoreThread(file, true).open()
    await expect(reader.call('moveCursor', 'x', 1)).rejects.toThrow('readonly')
    // A thread that ends takes its calls with it.
    const call = reader.call('systems')
    await inside(reader).worker.terminate()
    await Promise.allSettled([call])
    await expect(reader.call('systems')).rejects.toThrow('the thread of the store has ended')
    // The first reason stays.
    const failing = await new StoreThread(file, true).open()
    const lost = [failing.call('systems'), failing.call('moveCursor', 'x', 1)]
    const waiting = Promise.all(lost.map((one) => expect(one).rejects.toThrow('out of memory')))
    inside(failing).worker.emit('error', new Error('out of memory'))
    await waiting
    expect(inside(failing).waiting.size).toBe(0)
    // The answers still come, and nobody waits for them.
    await failing.close()
    await expect(failing.call('systems')).rejects.toThrow('out of memory')
  })

  it('says why it could not be opened, and whoever calls it hears the same', async () => {
    const store = new StoreThread(join(temporaryFolder(), 'none', 'x.db'), true)
    const call = store.call('systems')
    await expect(store.open()).rejects.toThrow(SetupError)
    await expect(call).rejects.toThrow('the thread of the store has ended')
    const broken = new StoreThread(undefined as never, false)
    await expect(broken.open()).rejects.toThrow('is not a store of pb-oel')
    // Also where nobody has asked whether it is open.
    const unasked = new StoreThread(join(temporaryFolder(), 'none', 'x.db'), true)
    await expect(unasked.call('systems')).rejects.toThrow('the thread of the store has ended')
  })
})
