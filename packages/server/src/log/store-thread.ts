import { Worker } from 'node:worker_threads'
import { SetupError, StorageError } from '../errors.ts'
import type { SqliteStore } from './sqlite-store.ts'
import { CLOSE, OPENED, type StoreAnswer, type StoreCall } from './sqlite-worker.ts'

type Methods = Pick<SqliteStore, StoreCall['method']>

/** A {@link SqliteStore} somewhere: the same methods, each with a promise. Calls are done in their order. */
export interface StoreAccess {
  call<M extends keyof Methods>(method: M, ...args: Parameters<Methods[M]>): Promise<ReturnType<Methods[M]>>
  /** Ends after the calls made so far. */
  close(): Promise<void>
}

/** A {@link SqliteStore} in a thread of its own. */
export class StoreThread implements StoreAccess {
  private readonly worker: Worker
  private readonly waiting = new Map<number, PromiseWithResolvers<unknown>>()
  private readonly ready = Promise.withResolvers<unknown>()
  private readonly ended: Promise<void>
  private next = 0
  private failure: Error | undefined

  constructor(file: string, readOnly: boolean) {
    // In a clone this is TypeScript, in a published package JavaScript.
    const entry = import.meta.url.endsWith('.ts') ? './sqlite-worker.ts' : './sqlite-worker.js'
    this.worker = new Worker(new URL(entry, import.meta.url), { workerData: { file, readOnly } })
    this.waiting.set(OPENED, this.ready)
    this.worker.on('message', ({ id, value, error }: StoreAnswer) => {
      const call = this.waiting.get(id)
      this.waiting.delete(id)
      if (error === undefined) call?.resolve(value)
      else call?.reject(id === OPENED ? new SetupError(error) : new StorageError(error))
    })
    this.worker.on('error', (error) => this.fail(error))
    this.ended = new Promise((done) => this.worker.once('exit', () => done()))
    void this.ended.then(() => this.fail(new StorageError('the thread of the store has ended')))
    this.ready.promise.catch(() => {})
  }

  /** Resolves when the store is open. */
  async open(): Promise<this> {
    try {
      await this.ready.promise
    } catch (error) {
      await this.ended
      throw error
    }
    return this
  }

  call<M extends keyof Methods>(method: M, ...args: Parameters<Methods[M]>): Promise<ReturnType<Methods[M]>> {
    if (this.failure) return Promise.reject(this.failure)
    const id = this.next++
    const answer = Promise.withResolvers<unknown>()
    this.waiting.set(id, answer)
    this.worker.postMessage({ id, method, args } satisfies StoreCall)
    return answer.promise as Promise<ReturnType<Methods[M]>>
  }

  async close(): Promise<void> {
    this.worker.postMessage({ id: CLOSE })
    await this.ended
  }

  private fail(error: Error): void {
    this.failure ??= error
    for (const { reject } of this.waiting.values()) reject(this.failure)
    this.waiting.clear()
  }
}
