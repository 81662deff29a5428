import type { GivenAnswer, Stretch } from '@pb-oel/protocol'
import { signal } from '@preact/signals'
import { LONG_WORK, request, sayFailed, systemPath } from '../api/client.ts'
import { announce } from '../chrome/announcer.tsx'
import { author } from '../session/session.ts'
import { text } from '../strings/en.ts'
import { stretch as timeWords } from '../strings/format.ts'

const words = text.stretch

/** What the brush says of the samples that it is drawn across. */
export type BrushAnswer = Pick<GivenAnswer, 'kind'> & { level?: number }

/** Answers stretches of time: one drag across the timeline, one answer about all of its samples. */
export class StretchBrush {
  /** What a drag says; `null` while a drag zooms. */
  readonly armed = signal<BrushAnswer | null>(null)
  readonly busy = signal(false)
  readonly message = signal('')
  /** The latest stretch of this session that can be taken back. */
  readonly last = signal<Stretch | null>(null)
  private readonly system: string
  private readonly changed: () => void

  /** @param changed called when the server has learned or forgotten */
  constructor(system: string, changed: () => void) {
    this.system = system
    this.changed = changed
  }

  /** Answers all samples from one moment to another. */
  async answer(from: number, to: number, levels: readonly string[]): Promise<void> {
    const said = this.armed.peek()
    if (!said || this.busy.peek()) return
    const range = { from: Math.floor(from), to: Math.ceil(to) }
    await this.attempt(words.failed, async () => {
      const body = { ...range, ...said, key: crypto.randomUUID(), ...author() }
      const done = await request<Stretch>('POST', systemPath(this.system, '/stretches'), body, undefined, LONG_WORK)
      this.last.value = done
      const what = text.review.said(said.kind, levels[said.level ?? -1])
      return words.answered(done.answered, timeWords(range.from, range.to), what)
    })
  }

  /** Takes the latest stretch back as one. */
  async undo(): Promise<void> {
    const last = this.last.peek()
    if (!last || this.busy.peek()) return
    this.message.value = words.undoing
    await this.attempt(words.notUndone, async () => {
      const { by } = author()
      const query = by === undefined ? '' : `?by=${encodeURIComponent(by)}`
      const path = systemPath(this.system, `/stretches/${last.sequence}${query}`)
      await request('DELETE', path, undefined, undefined, LONG_WORK)
      this.last.value = null
      return words.undone(last.answered)
    })
  }

  private async attempt(failed: (why: string) => string, task: () => Promise<string>): Promise<void> {
    this.busy.value = true
    try {
      this.message.value = await task()
    } catch (error) {
      this.message.value = sayFailed(error, failed)
    }
    announce(this.message.peek())
    this.busy.value = false
    this.changed()
  }
}
