import { PassThrough } from 'node:stream'
import type { RecordKind } from '@pb-oel/protocol'
import type { Reading } from '../reading/reading.ts'
import type { LiveSystem } from '../service/live-system.ts'
import { type Batch, LiveFeed } from './live-feed.ts'

/** Seconds between comments that keep idle connections open. */
const HEARTBEAT_SECONDS = 15
/** Bytes that may wait for a slow reader; then it is served from the log again, as fast as it reads. */
const BUFFER = 1 << 20

/**
 * Records of a system as server-sent events: first those after `after` from the log, then each as it reaches the disk.
 * The id of an event is the number of its record.
 */
export function eventStream(
  reading: Reading,
  system: LiveSystem,
  after: number,
  kinds: readonly RecordKind[],
): PassThrough {
  const follower = new Follower(reading, system, kinds)
  follower.start(after)
  return follower.stream
}

/** One client that follows a system. */
class Follower {
  readonly stream = new PassThrough({ highWaterMark: BUFFER })
  private readonly reading: Reading
  private readonly system: LiveSystem
  private readonly kinds: readonly RecordKind[]
  /** Batches that arrived while the end of the past was being read. */
  private waiting: Batch[] | undefined
  private leave: (() => void) | undefined
  /** Number of the last record that was sent or passed. */
  private sent = 0

  constructor(reading: Reading, system: LiveSystem, kinds: readonly RecordKind[]) {
    this.reading = reading
    this.system = system
    this.kinds = kinds
  }

  start(after: number): void {
    const { stream, system } = this
    this.sent = after
    const stopBeating = system.clock.clock.every(HEARTBEAT_SECONDS * 1000, () => {
      if (!stream.writableNeedDrain) stream.write(':\n\n')
    })
    // The client comes back with Last-Event-ID, to whoever has the system then.
    const stopWaiting = system.onEnd(() => stream.end())
    stream.once('close', () => {
      this.leave?.()
      stopWaiting()
      stopBeating()
    })
    stream.write('retry: 1000\n\n')
    this.catchUp()
  }

  private catchUp(): void {
    this.readPast().catch((error) => this.stream.destroy(error))
  }

  /** Sends the past page by page, no faster than the client reads, and then goes live. */
  private async readPast(): Promise<void> {
    const { stream, kinds } = this
    const { id: system, channels, levels } = this.system
    for (let joined = false; ; ) {
      await this.drained()
      if (!isOpen(stream)) return
      const page = await this.reading.events({ system, channels, levels, kinds, after: this.sent })
      if (!isOpen(stream)) return
      if (page.bytes.length > 0) stream.write(page.bytes)
      this.sent = page.last
      if (page.more) continue
      if (joined) break
      // Near the end: from here on what is new is kept, and what came just before is read once more.
      joined = true
      this.waiting = []
      this.leave = LiveFeed.of(this.system).follow(kinds, (batch) => this.take(batch))
    }
    const batches = this.waiting ?? []
    this.waiting = undefined
    for (const batch of batches) this.take(batch)
  }

  private take(batch: Batch): void {
    if (this.waiting) {
      this.waiting.push(batch)
      return
    }
    const { stream } = this
    if (!this.leave || batch.last <= this.sent || !isOpen(stream)) return
    const bytes = batch.first > this.sent ? batch.bytes : this.unsent(batch)
    this.sent = batch.last
    if (bytes.length === 0 || stream.write(bytes)) return
    // Too slow: what comes next is read from the log when there is room for it.
    this.leave()
    this.leave = undefined
    this.catchUp()
  }

  private unsent({ events }: Batch): Buffer {
    const texts = events.filter(({ sequence }) => sequence > this.sent).map(({ text }) => text)
    return Buffer.from(texts.join(''))
  }

  private async drained(): Promise<void> {
    const { stream } = this
    if (!stream.writableNeedDrain || !isOpen(stream)) return
    await new Promise<void>((done) => {
      stream.once('drain', done)
      stream.once('close', done)
    })
  }
}

function isOpen(stream: PassThrough): boolean {
  return !stream.destroyed && !stream.writableEnded
}
