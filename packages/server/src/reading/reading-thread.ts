import { Worker } from 'node:worker_threads'
import { NotReady } from '../errors.ts'
import { heard } from '../told-error.ts'
import type { ReadingAnswer, ReadingCall, ReadingThreadData } from './reading-worker.ts'
import type { StoreReading } from './store-reading.ts'

/** The methods of a reading, called in another thread. */
type Methods = Pick<StoreReading, keyof StoreReading>

/** A thread that reads a store through a connection of its own. */
export class ReadingThread {
  private readonly worker: Worker
  private readonly waiting = new Map<number, PromiseWithResolvers<unknown>>()
  private readonly exited: Promise<void>
  private next = 0
  private failure: Error | undefined

  constructor(data: ReadingThreadData) {
    // In a clone this is TypeScript, in a published package JavaScript.
    const entry = import.meta.url.endsWith('.ts') ? './reading-worker.ts' : './reading-worker.js'
    this.worker = new Worker(new URL(entry, import.meta.url), { workerData: data })
    this.worker.on('message', ({ id, value, error }: ReadingAnswer) => {
      const call = this.waiting.get(id)
      this.waiting.delete(id)
      if (error) call?.reject(heard(error))
      else call?.resolve(value)
    })
    this.worker.on('error', (error) => this.fail(error))
    this.exited = new Promise((done) => this.worker.once('exit', () => done()))
    void this.exited.then(() => this.fail(new NotReady('the thread that reads has ended')))
  }

  /** False once the thread has failed. */
  get alive(): boolean {
    return this.failure === undefined
  }

  call<M extends keyof Methods>(method: M, ...args: Parameters<Methods[M]>): ReturnType<Methods[M]> {
    const answer = Promise.withResolvers<unknown>()
    if (this.failure) answer.reject(this.failure)
    else {
      const id = this.next++
      this.waiting.set(id, answer)
      this.worker.postMessage({ id, method, args } satisfies ReadingCall)
    }
    return answer.promise as ReturnType<Methods[M]>
  }

  /** Ends the thread at once, whatever it does. */
  async end(): Promise<void> {
    this.fail(new NotReady('the server is stopping'))
    await this.worker.terminate()
    await this.exited
  }

  private fail(error: Error): void {
    this.failure ??= error
    for (const { reject } of this.waiting.values()) reject(this.failure)
    this.waiting.clear()
  }
}
