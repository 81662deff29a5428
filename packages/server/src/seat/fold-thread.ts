import { type Transferable, Worker } from 'node:worker_threads'
import { NotReady } from '../errors.ts'
import type { ModuleFiles } from '../replay/load-modules.ts'
import { heard } from '../told-error.ts'
import type { FoldCall, FoldReply, FoldThreadData } from './fold-worker.ts'
import type { Outcome } from './seat.ts'

/** What a {@link FoldThread} is started with. */
export interface FoldThreadOptions {
  /** File of the store, where threads can read it themselves. */
  store: string | undefined
  modules: ModuleFiles
  /** Seconds after which one operation is taken for endless. */
  operationSeconds: number
  /** A guest stands back for the others, and may take no more heap than so many megabytes. */
  guest?: { megabytes: number }
}

/** A thread in which folds have their seats. Calls of one turn of the event loop go over together. */
export class FoldThread {
  readonly guest: boolean
  /** Numbers of the seats that are taken here. */
  readonly seats = new Set<number>()
  /** Called once when it has ended by itself: why, and the number of the seat that was at work. */
  onEnd: (reason: string, culprit: number) => void = () => {}
  private readonly operationSeconds: number
  private readonly worker: Worker
  private readonly exited: Promise<void>
  private readonly progress = new Int32Array(new SharedArrayBuffer(8))
  private readonly waiting = new Map<number, (outcome: Outcome<unknown>) => void>()
  private batch: FoldCall[] = []
  private buffers: Transferable[] = []
  private next = 0
  private ended = false
  /** How much was done at the last look, and how many looks ago it was less. */
  private done = 0
  private still = 0

  constructor({ store, modules, operationSeconds, guest }: FoldThreadOptions) {
    this.operationSeconds = operationSeconds
    this.guest = guest !== undefined
    // In a clone this is TypeScript, in a published package JavaScript.
    const entry = import.meta.url.endsWith('.ts') ? './fold-worker.ts' : './fold-worker.js'
    const progress = this.progress.buffer as SharedArrayBuffer
    this.worker = new Worker(new URL(entry, import.meta.url), {
      workerData: { store, modules, progress, standsBack: this.guest } satisfies FoldThreadData,
      ...(guest && { resourceLimits: { maxOldGenerationSizeMb: guest.megabytes } }),
    })
    this.worker.on('message', (replies: FoldReply[]) => {
      for (const reply of replies) this.answer(reply)
    })
    this.worker.on('error', (error) => this.fail(error.message))
    this.exited = new Promise((done) => this.worker.once('exit', () => done()))
    void this.exited.then(() => this.fail('it was ended from inside'))
  }

  get alive(): boolean {
    return !this.ended
  }

  /** Asks for something on a seat; calls back in the order of the calls. */
  ask(seat: number, ask: FoldCall['ask'], done: (outcome: Outcome<unknown>) => void): void {
    if (this.ended) {
      done({ error: new NotReady('the thread of this system has ended'), defect: false })
      return
    }
    const id = this.next++
    this.waiting.set(id, done)
    if (this.batch.length === 0) setImmediate(() => this.flush())
    this.batch.push({ id, seat, ask })
    if (ask.kind === 'load') this.buffers.push(ask.bytes.buffer as ArrayBuffer)
  }

  /** To be called once a second. A thread that stays with one operation for too long is ended. */
  look(): void {
    const done = Atomics.load(this.progress, 1)
    const busy = this.waiting.size > 0 && Atomics.load(this.progress, 0) > 0
    this.still = busy && done === this.done ? this.still + 1 : 0
    this.done = done
    if (this.still < this.operationSeconds) return
    this.fail(`one operation took more than ${this.operationSeconds} seconds`)
    void this.worker.terminate()
  }

  /** Ends the thread, whatever it does. */
  async end(): Promise<void> {
    this.onEnd = () => {}
    this.fail('the server is stopping')
    await this.worker.terminate()
    await this.exited
  }

  private flush(): void {
    const { batch, buffers } = this
    this.batch = []
    this.buffers = []
    if (!this.ended) this.worker.postMessage(batch, buffers)
  }

  private answer({ id, value, error, defect = false }: FoldReply): void {
    const done = this.waiting.get(id)
    this.waiting.delete(id)
    done?.(error ? { error: heard(error), defect } : { value })
  }

  private fail(reason: string): void {
    if (this.ended) return
    this.ended = true
    this.onEnd(reason, Atomics.load(this.progress, 0))
    const error = new NotReady(`the thread of this system has ended: ${reason}; nothing of this request was kept`)
    for (const done of this.waiting.values()) done({ error, defect: false })
    this.waiting.clear()
  }
}
