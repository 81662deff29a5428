import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { PYTHON } from '../../../../../test/support/needs.ts'

export { PYTHON }

/** A Python program of this folder that is told what to do by lines of JSON, and answers by such lines. */
export class PythonPeer {
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  /** What it said so far, without its receipts. */
  readonly said: Record<string, unknown>[] = []
  private readonly waiting: ((error?: Error) => void)[] = []
  private readonly ended: Promise<void>
  private errors = ''

  constructor(file: string, ...args: string[]) {
    this.child = spawn(PYTHON as string, [join(import.meta.dirname, file), ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.child.stderr.on('data', (chunk) => (this.errors += chunk))
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const message = JSON.parse(line)
      if (message.done !== undefined) this.waiting.shift()?.()
      else this.said.push(message)
    })
    this.ended = new Promise((done) => {
      this.child.once('exit', () => {
        for (const finish of this.waiting.splice(0)) finish(new Error(`the Python program has ended: ${this.errors}`))
        done()
      })
    })
  }

  /** Tells it something; resolves when it is done. */
  tell(what: string, details: object = {}): Promise<void> {
    return new Promise((done, fail) => {
      this.waiting.push((error) => (error ? fail(error) : done()))
      this.child.stdin.write(`${JSON.stringify({ do: what, ...details })}\n`)
    })
  }

  /** Ends it without a chance to say farewell. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.ended
  }
}
