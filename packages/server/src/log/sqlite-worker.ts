import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
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

/** Opens a store and answers the calls that come by a port, one after the other. */
export function answerCalls(port: MessagePort, file: string, readOnly: boolean): void {
  const answer = (id: number, work: () => unknown) => {
    try {
      port.postMessage({ id, value: work() } satisfies StoreAnswer)
    } catch (error) {
      port.postMessage({ id, error: (error as Error).message } satisfies StoreAnswer)
    }
  }
  answer(OPENED, () => {
    const store = new SqliteStore(file, { readOnly })
    port.on('message', ({ id, method, args }: StoreCall) => {
      if (id === CLOSE) {
        store.close()
        port.close()
      } else answer(id, () => (store[method] as (...args: unknown[]) => unknown).apply(store, args))
    })
  })
}

// The entry of a worker thread that owns one connection.
if (parentPort) answerCalls(parentPort, workerData.file, workerData.readOnly)
