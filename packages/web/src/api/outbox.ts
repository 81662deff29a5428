import type { AnswerReceipt, GivenAnswer } from '@pb-oel/protocol'
import { signal } from '@preact/signals'
import { keep, recall } from '../device/stored.ts'
import { type ApiError, request, systemPath } from './client.ts'

/** An answer on its way. */
interface Letter {
  system: string
  body: GivenAnswer & { key: string }
}

/** The end of a letter: the server has learned the answer, or refused it for a reason that no repetition cures. */
export type Delivery = { letter: Letter; receipt: AnswerReceipt } | { letter: Letter; refusal: ApiError }

/** Milliseconds between two attempts while the server is away. */
const RETRY = 1_500

/**
 * Answers that the server has not acknowledged yet. The device keeps them until it has, even when the page is closed.
 * Each has a key, so that an answer whose receipt got lost is not learned twice.
 */
class Outbox {
  readonly waiting = signal<readonly Letter[]>(load())
  private readonly listeners = new Set<(delivery: Delivery) => void>()
  private sending: Letter | undefined
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    if (this.waiting.peek().length > 0) this.timer = setTimeout(() => void this.flush(), 0)
  }

  /** Calls back when an answer has arrived or was refused. Returns the function that ends this. */
  onDelivery(listener: (delivery: Delivery) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  send(letter: Letter): void {
    this.keep([...this.waiting.peek(), letter])
    void this.flush()
  }

  /** Takes back an answer that has not left yet. Returns false when it may have left. */
  takeBack(key: string): boolean {
    const letter = this.waiting.peek().find(({ body }) => body.key === key)
    if (!letter || letter === this.sending) return false
    this.keep(this.waiting.peek().filter((other) => other !== letter))
    return true
  }

  private async flush(): Promise<void> {
    if (this.sending) return
    clearTimeout(this.timer)
    for (let letter = this.waiting.peek()[0]; letter; letter = this.waiting.peek()[0]) {
      this.sending = letter
      const delivery = await deliver(letter)
      this.sending = undefined
      if (!delivery) {
        this.timer = setTimeout(() => void this.flush(), RETRY)
        return
      }
      const done = letter
      this.keep(this.waiting.peek().filter((other) => other !== done))
      for (const listener of this.listeners) listener(delivery)
    }
  }

  private keep(letters: readonly Letter[]): void {
    this.waiting.value = letters
    keep('outbox', letters.length === 0 ? null : JSON.stringify(letters))
  }
}

/** The server's reply; `undefined` when it gave none that counts. */
async function deliver(letter: Letter): Promise<Delivery | undefined> {
  try {
    const receipt = await request<AnswerReceipt>('POST', systemPath(letter.system, '/feedback'), letter.body)
    return { letter, receipt }
  } catch (error) {
    const { status } = error as ApiError
    // Not reached, not signed in, too fast, or not ready: the outbox tries again later. Everything else is a refusal.
    if (status === 0 || status === 401 || status === 429 || status >= 500) return undefined
    return { letter, refusal: error as ApiError }
  }
}

function load(): Letter[] {
  try {
    return JSON.parse(recall('outbox') ?? '[]')
  } catch {
    return []
  }
}

/** The one outbox of the page. */
export const outbox = new Outbox()
