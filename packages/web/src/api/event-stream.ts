import type { EventData } from '@pb-oel/protocol'
import { headers, reachable, refusals } from './client.ts'
import { type ServerEvent, SseParser } from './sse-parser.ts'

/** An event of a system: its name and its data. */
export type StreamEvent = { [K in keyof EventData]: { name: K; data: EventData[K] } }[keyof EventData]

/** What a stream tells its owner. */
export interface StreamHandlers {
  /** An event has arrived. */
  event(event: StreamEvent): void
  /** The stream has opened or broken. */
  state(connected: boolean): void
}

/** Milliseconds without a byte after which the connection counts as lost; the server sends a comment every 15 s. */
const SILENCE = 25_000
const FIRST_WAIT = 500
const LONGEST_WAIT = 8_000

/** Follows the events of a system. After a loss it reconnects by itself and goes on after the last event it saw. */
export class EventStream {
  private readonly path: string
  private readonly handlers: StreamHandlers
  private lastId: string
  private abort = new AbortController()
  private wait = FIRST_WAIT
  private timer: ReturnType<typeof setTimeout> | undefined
  private silence: ReturnType<typeof setTimeout> | undefined
  private closed = false

  /** @param after id of the last known event */
  constructor(path: string, after: number, handlers: StreamHandlers) {
    this.path = path
    this.lastId = String(after)
    this.handlers = handlers
    window.addEventListener('online', this.retryNow)
    window.addEventListener('offline', this.cut)
    void this.connect()
  }

  /** Reconnects at once instead of at the end of the wait. */
  readonly retryNow = (): void => {
    if (this.timer === undefined || this.closed) return
    clearTimeout(this.timer)
    this.timer = undefined
    this.wait = FIRST_WAIT
    void this.connect()
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    clearTimeout(this.silence)
    window.removeEventListener('online', this.retryNow)
    window.removeEventListener('offline', this.cut)
    this.abort.abort()
  }

  private readonly cut = (): void => this.abort.abort()

  private async connect(): Promise<void> {
    this.abort = new AbortController()
    const { signal } = this.abort
    try {
      const response = await fetch(this.path, {
        headers: { ...headers(), accept: 'text/event-stream', 'last-event-id': this.lastId },
        signal,
        cache: 'no-store',
      })
      if (response.status === 401) refusals.value++
      if (!response.ok || !response.body) throw new Error(response.statusText)
      reachable.value = true
      this.handlers.state(true)
      this.wait = FIRST_WAIT
      const parser = new SseParser((event) => this.receive(event))
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (;;) {
        this.listen()
        const { done, value } = await reader.read()
        if (done) break
        parser.push(value)
      }
    } catch {
      // Every end has the same consequence: tell the owner and reconnect.
    }
    clearTimeout(this.silence)
    if (this.closed) return
    this.handlers.state(false)
    this.timer = setTimeout(() => {
      this.timer = undefined
      void this.connect()
    }, this.wait)
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2)
  }

  private receive({ id, event, data }: ServerEvent): void {
    if (id !== '') this.lastId = id
    this.handlers.event({ name: event, data: JSON.parse(data) } as StreamEvent)
  }

  private listen(): void {
    clearTimeout(this.silence)
    this.silence = setTimeout(this.cut, SILENCE)
  }
}
