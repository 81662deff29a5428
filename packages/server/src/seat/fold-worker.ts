import { setImmediate } from 'node:timers/promises'
import { parentPort, type Transferable, workerData } from 'node:worker_threads'
import type { Extensions } from '@pb-oel/core'
import type { SystemRequest } from '@pb-oel/protocol'
import { systemClock } from '../clock/clock.ts'
import { SystemFold } from '../fold/system-fold.ts'
import { DirectReader } from '../log/direct-reader.ts'
import type { LogQuery } from '../log/event-log.ts'
import { standBack } from '../reading/low-priority.ts'
import { loadModules } from '../replay/load-modules.ts'
import type { UsedKey } from '../replay/used-keys.ts'
import { type ToldError, told } from '../told-error.ts'
import type { Entry, Opened, Operation } from './seat.ts'
import { SeatedFold } from './seated-fold.ts'

/** What a thread of folds is started with. */
export interface FoldThreadData {
  /** File of the store, where the thread can read it itself. */
  store: string | undefined
  /** Modules from outside: file URLs by the names that options have for them. */
  modules: Readonly<Record<string, string>>
  /** Two numbers that the main thread watches: the seat at work, 0 for none, and how much was done so far. */
  progress: SharedArrayBuffer
  /** Let other threads go first. */
  standsBack: boolean
}

/** How a system takes a seat, or leaves it. */
export type Opening =
  | { kind: 'create'; system: string; given: SystemRequest; now: number }
  | { kind: 'open'; system: string }
  | { kind: 'load'; bytes: Uint8Array; snapshotAt: number; keys: readonly UsedKey[] }
  | { kind: 'leave' }

/** A call of the main thread. Calls come in batches. */
export interface FoldCall {
  id: number
  seat: number
  ask: Operation | Opening
}

/** Its answer. Answers go in batches too. */
export interface FoldReply {
  id: number
  value?: unknown
  error?: ToldError
  defect?: boolean
}

/** Milliseconds of work after which answers do not wait for the rest of their batch. */
const BATCH_MILLISECONDS = 2

const [SEAT, DONE] = [0, 1]

/** The folds of one thread. */
class FoldWorker {
  private readonly seated = new Map<number, SeatedFold>()
  private readonly progress: Int32Array
  private readonly store: string | undefined
  private readonly extensions: Extensions
  private reader: DirectReader | undefined
  private replies: FoldReply[] = []
  private buffers: Transferable[] = []
  private readonly post: (replies: FoldReply[], buffers: Transferable[]) => void

  constructor({ store, progress }: FoldThreadData, extensions: Extensions, post: FoldWorker['post']) {
    this.store = store
    this.progress = new Int32Array(progress)
    this.extensions = extensions
    this.post = post
  }

  /** Does a batch of calls in order. Systems of the log are opened page by page, between other calls. */
  take(calls: readonly FoldCall[]): void {
    let start = systemClock.monotonic()
    for (const { id, seat, ask } of calls) {
      if (ask.kind === 'open') {
        void this.open(id, seat, ask.system)
        continue
      }
      this.begin(seat)
      this.replies.push({ id, ...this.answer(seat, ask) })
      this.end()
      if (systemClock.monotonic() - start < BATCH_MILLISECONDS) continue
      this.flush()
      start = systemClock.monotonic()
    }
    this.flush()
  }

  private answer(seat: number, ask: Operation | Exclude<Opening, { kind: 'open' }>): Omit<FoldReply, 'id'> {
    try {
      switch (ask.kind) {
        case 'create':
          return { value: this.sit(seat, SeatedFold.create(ask.system, ask.given, ask.now, this.extensions)) }
        case 'load':
          return { value: this.sit(seat, new SeatedFold(SystemFold.load(ask.bytes, this.extensions), ask)) }
        case 'leave':
          return { value: this.seated.delete(seat) }
        default:
          return this.perform(seat, ask)
      }
    } catch (error) {
      return { error: told(error as Error) }
    }
  }

  private perform(seat: number, operation: Operation): Omit<FoldReply, 'id'> {
    const outcome = this.seated.get(seat)?.perform(operation)
    if (!outcome) throw new Error(`seat ${seat} is empty`)
    if ('error' in outcome) return { error: told(outcome.error), defect: outcome.defect }
    const { value } = outcome
    if (operation.kind === 'read' || 'repeated' in (value as object)) return { value }
    // The main thread reads the events from the records: cloning both would cost more.
    const { events: _, ...entry } = value as Entry
    const { bytes } = entry.snapshot ?? {}
    if (bytes && bytes.byteLength === bytes.buffer.byteLength) this.buffers.push(bytes.buffer as ArrayBuffer)
    return { value: entry }
  }

  private async open(id: number, seat: number, system: string): Promise<void> {
    try {
      this.begin(seat)
      this.reader ??= new DirectReader(this.store as string)
      const opened = await SeatedFold.open(this.paged(this.reader, seat), system, this.extensions)
      this.replies.push({ id, value: this.sit(seat, opened) })
    } catch (error) {
      this.replies.push({ id, error: told(error as Error) })
    }
    this.end()
    this.flush()
  }

  /** Between two pages the other systems of this thread have their turn. */
  private paged(reader: DirectReader, seat: number): DirectReader {
    const read = async (system: string, query?: LogQuery) => {
      this.end()
      await setImmediate()
      this.begin(seat)
      return reader.read(system, query)
    }
    return Object.assign(Object.create(reader), { read })
  }

  private sit(seat: number, seated: SeatedFold): Opened {
    this.seated.set(seat, seated)
    return seated.opened
  }

  private begin(seat: number): void {
    Atomics.store(this.progress, SEAT, seat)
    Atomics.add(this.progress, DONE, 1)
  }

  private end(): void {
    Atomics.store(this.progress, SEAT, 0)
  }

  private flush(): void {
    if (this.replies.length === 0) return
    const { replies, buffers } = this
    this.replies = []
    this.buffers = []
    this.post(replies, buffers)
  }
}

// The entry of a thread of folds.
if (parentPort) {
  const port = parentPort
  const data = workerData as FoldThreadData
  if (data.standsBack) standBack()
  const extensions = await loadModules(data.modules)
  const worker = new FoldWorker(data, extensions, (replies, buffers) => port.postMessage(replies, buffers))
  port.on('message', (calls: FoldCall[]) => worker.take(calls))
}
