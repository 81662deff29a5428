import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { DataError } from '../errors.ts'
import { ownModule } from '../own-module.ts'

/** What a worker is given: where to read, how, and how to answer. */
export interface PullTask {
  kind: 'gunzip' | 'parquet'
  path: string
}

/** What a worker answers to each wish: the next piece, the end, or why there is none. */
export type PullAnswer<T> = { piece: T } | { end: true } | { error: string }

/**
 * Pieces that a worker makes one by one, for this thread, which waits for them: the library of Node that unpacks and
 * the one that reads Parquet are asynchronous, and a stream is not. The worker is one piece ahead.
 */
export class Pulled<T> {
  private readonly path: string
  private readonly worker: Worker
  private readonly channel = new MessageChannel()
  private readonly answers = new Int32Array(new SharedArrayBuffer(4))
  private taken = 0
  private over = false

  constructor(task: PullTask) {
    this.path = task.path
    const { port1, port2 } = this.channel
    const workerData = { ...task, port: port2, answers: this.answers }
    this.worker = new Worker(ownModule('./streams/pull-worker'), { workerData, transferList: [port2] })
    // A stream that nobody reads to its end must not keep the process alive.
    this.worker.unref()
    port1.unref()
    port1.postMessage('next')
  }

  /** The next piece; `undefined` at the end. */
  next(): T | undefined {
    if (this.over) return undefined
    Atomics.wait(this.answers, 0, this.taken)
    this.taken++
    const answer = receiveMessageOnPort(this.channel.port1)?.message as PullAnswer<T>
    if ('piece' in answer) {
      this.channel.port1.postMessage('next')
      return answer.piece
    }
    this.close()
    if ('error' in answer) throw new DataError(this.path, answer.error)
    return undefined
  }

  close(): void {
    if (this.over) return
    this.over = true
    this.channel.port1.close()
    void this.worker.terminate()
  }
}
