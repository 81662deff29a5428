import type { Answer, GivenWhatIf } from '@pb-oel/protocol'
import { NotReady } from '../errors.ts'
import type { ExportQuery } from '../export/export-system.ts'
import type { ModuleFiles } from '../replay/load-modules.ts'
import type {
  ChartQuery,
  EventPage,
  EventQuery,
  ExplainQuery,
  Names,
  Reading,
  RecordQuery,
  SampleQuery,
} from './reading.ts'
import { ReadingThread } from './reading-thread.ts'

/** Pages that may wait for the thread. */
const PAGES_WAITING = 500
/** Replays that may wait for the one under way. */
const REPLAYS_WAITING = 4
/** Explanations that may wait for the one under way. */
const EXPLANATIONS_WAITING = 20
/** Exports at once. */
const EXPORTS = 4
/** Seconds after which a reader that was turned away may come back. */
const RETRY_SECONDS = 5

/**
 * Reading in threads that stand back for the one that takes samples. Pages are made one after the other by one thread.
 * A replay has a thread of its own, one at a time, and ends with the request. Explanations have a thread, too, because
 * a model may take long.
 */
export class ThreadedReading implements Reading {
  private readonly file: string
  private readonly modules: ModuleFiles
  private thread: ReadingThread
  private explainer: ReadingThread | undefined
  private explanations = 0
  private pages = 0
  private replays = 0
  private readonly exports = new Set<ReadingThread>()
  private replaying: Promise<unknown> = Promise.resolve()
  private readonly closing = new AbortController()

  constructor(file: string, modules: ModuleFiles = {}) {
    this.file = file
    this.modules = modules
    this.thread = this.start()
  }

  events(query: EventQuery): Promise<EventPage> {
    return this.page((thread) => thread.call('events', query))
  }

  samples(query: SampleQuery): Promise<Uint8Array> {
    return this.page((thread) => thread.call('samples', query))
  }

  chart(query: ChartQuery): Promise<Uint8Array> {
    return this.page((thread) => thread.call('chart', query))
  }

  sample(names: Names, assessment: number, answer: Answer | undefined): Promise<Uint8Array> {
    return this.page((thread) => thread.call('sample', names, assessment, answer))
  }

  records(query: RecordQuery): Promise<Uint8Array> {
    return this.page((thread) => thread.call('records', query))
  }

  async explain(query: ExplainQuery): Promise<Uint8Array> {
    if (this.explanations >= EXPLANATIONS_WAITING) {
      throw new NotReady(`${this.explanations} explanations are under way or waiting`, RETRY_SECONDS)
    }
    if (!this.explainer?.alive) this.explainer = this.start()
    this.explanations++
    try {
      return await this.explainer.call('explain', query)
    } finally {
      this.explanations--
    }
  }

  state(system: string, at: number, signal?: AbortSignal, explained = false): Promise<Uint8Array> {
    return this.replay((thread) => thread.call('state', system, at, undefined, explained), signal)
  }

  whatIf(system: string, change: GivenWhatIf, signal?: AbortSignal): Promise<Uint8Array> {
    return this.replay((thread) => thread.call('whatIf', system, change), signal)
  }

  reviewers(names: Names): Promise<Uint8Array> {
    return this.replay((thread) => thread.call('reviewers', names))
  }

  comments(names: Names, assessment: number): Promise<Uint8Array> {
    return this.page((thread) => thread.call('comments', names, assessment))
  }

  async *export(query: ExportQuery): AsyncGenerator<Uint8Array> {
    if (this.exports.size >= EXPORTS) throw new NotReady(`${EXPORTS} exports are under way`, RETRY_SECONDS)
    const thread = this.start()
    this.exports.add(thread)
    try {
      for (;;) {
        const piece = await thread.call('exportNext', query)
        if (!piece) return
        yield piece
      }
    } finally {
      this.exports.delete(thread)
      await thread.end()
    }
  }

  async close(): Promise<void> {
    this.closing.abort()
    await Promise.all([...this.exports].map((thread) => thread.end()))
    await this.replaying
    await this.explainer?.end()
    await this.thread.end()
  }

  /** Does something long in a thread of its own, one after the other. The signal ends it. */
  private async replay(
    task: (thread: ReadingThread) => Promise<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    if (this.replays > REPLAYS_WAITING) {
      throw new NotReady(`${this.replays} replays are under way or waiting`, RETRY_SECONDS)
    }
    this.replays++
    const end = AbortSignal.any([this.closing.signal, ...(signal ? [signal] : [])])
    const done = this.replaying.then(() => this.alone(task, end))
    this.replaying = done.catch(() => {})
    try {
      return await done
    } finally {
      this.replays--
    }
  }

  private async alone(task: (thread: ReadingThread) => Promise<Uint8Array>, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted()
    const thread = this.start()
    const stop = () => void thread.end()
    signal.addEventListener('abort', stop)
    try {
      return await task(thread)
    } finally {
      signal.removeEventListener('abort', stop)
      await thread.end()
    }
  }

  private async page<T>(read: (thread: ReadingThread) => Promise<T>): Promise<T> {
    if (this.pages >= PAGES_WAITING) {
      throw new NotReady(`${this.pages} readers are waiting for the log`, RETRY_SECONDS)
    }
    if (!this.thread.alive) this.thread = this.start()
    this.pages++
    try {
      return await read(this.thread)
    } finally {
      this.pages--
    }
  }

  private start(): ReadingThread {
    return new ReadingThread({ file: this.file, modules: this.modules, standsBack: true })
  }
}
