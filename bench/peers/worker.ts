import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface, type Interface } from 'node:readline'

/** What a worker answered; which figures are there depends on the request. */
export interface Answer {
  readonly seconds?: number
  readonly samples?: number
  readonly accuracy?: number
  readonly drifts?: number
  readonly bytes?: number
}

/** How a worker is started. */
export interface Command {
  readonly file: string
  readonly args: readonly string[]
}

/** Libraries that compute with threads get one: the work is one sample after another, and ours has one thread too. */
const ONE_THREAD = { OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1', MKL_NUM_THREADS: '1' }

/**
 * A process that stays, takes requests line by line and answers each with one line of JSON, so that compilers stay
 * warm.
 */
export class Worker {
  private readonly child: ChildProcess
  private readonly lines: AsyncIterator<string>
  private readonly reader: Interface
  private readonly name: string
  private errors = ''

  private constructor(name: string, { file, args }: Command) {
    this.name = name
    this.child = spawn(file, args, { env: { ...process.env, ...ONE_THREAD }, stdio: ['pipe', 'pipe', 'pipe'] })
    this.child.stderr?.on('data', (chunk) => {
      this.errors = `${this.errors}${chunk}`.slice(-2000)
    })
    this.child.on('error', (error) => {
      this.errors += error.message
    })
    this.child.stdin?.on('error', () => {})
    this.reader = createInterface({ input: this.child.stdout as NodeJS.ReadableStream })
    this.lines = this.reader[Symbol.asyncIterator]()
  }

  /** Starts a worker and reads its versions, which it says first. */
  static async start(name: string, command: Command): Promise<{ worker: Worker; versions: Record<string, string> }> {
    const worker = new Worker(name, command)
    return { worker, versions: JSON.parse(await worker.line()) }
  }

  async ask(request: string): Promise<Answer> {
    this.child.stdin?.write(`${request}\n`)
    return JSON.parse(await this.line())
  }

  stop(): void {
    this.reader.close()
    this.child.kill()
  }

  private async line(): Promise<string> {
    const { value, done } = await this.lines.next()
    if (done) throw new Error(`${this.name} ended: ${this.errors.trim().split('\n').at(-1) || 'no message'}`)
    return value
  }
}
