import { parentPort, workerData } from 'node:worker_threads'
import { SqliteStore } from './sqlite-store.ts'

/** Ids that are no calls: the first answer, and the last message. */
export const OPENED = -1
export const CLOSE = -2

/** A call of a method of the store, from another thread. */
export interface StoreCall {
  id: number
  method: Exclude<keyof SqliteStore, 'close'>
  args: unknown[]
}

/** Its answer: a value, or the error as text and status. */
export interface StoreAnswer {
  id: number
  value?: unknown
  error?: string
}

// The entry of a worker thread that owns one connection: it opens the store and answers calls one after the other.
if (parentPort) {
  const port = parentPort
  const answer = (id: number, work: () => unknown) => {
    try {
      port.postMessage({ id, value: work() } satisfies StoreAnswer)
    } catch (error) {
      port.postMessage({ id, error: (error as Error).message } satisfies StoreAnswer)
    }
  }
  answer(OPENED, () => {
    const store = new SqliteStore(workerData.file, { readOnly: workerData.readOnly })
    port.on('message', ({ id, method, args }: StoreCall) => {
      if (id === CLOSE) {
        store.close()
        port.close()
      } else answer(id, () => (store[method] as (...args: unknown[]) => unknown).apply(store, args))
    })
  })
}
