import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { ServeOptions } from '../start/serve-options.ts'

/** What it runs: in the tests the bundle that was made before them (test/support/bundle.ts). */
export const CHILD_ENTRY = process.env.PB_OEL_BUNDLED_SERVER ?? join(import.meta.dirname, 'serve-child.ts')

/** A server in another process. */
export class ChildServer {
  readonly url: string
  private readonly child: ChildProcess
  private readonly ended: Promise<number | null>

  private constructor(child: ChildProcess, url: string) {
    this.child = child
    this.url = url
    this.ended = new Promise((done) => child.once('exit', (code) => done(code)))
  }

  /** Starts one; rejects with what it wrote to stderr when it ends before it listens. */
  static async start(options: ServeOptions, flags: string[] = []): Promise<ChildServer> {
    const child = spawn(process.execPath, [...flags, CHILD_ENTRY, JSON.stringify({ logLevel: 'silent', ...options })], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stderr.on('data', (chunk) => (stderr += chunk))
    return new Promise((done, fail) => {
      child.stdout.on('data', (chunk) => {
        stdout += chunk
        const url = stdout.match(/^listening (\S+)$/m)?.[1]
        if (url) done(new ChildServer(child, url))
      })
      child.once('exit', (code) => fail(new Error(`ended with ${code}: ${stderr}`)))
    })
  }

  get pid(): number {
    return this.child.pid as number
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  /** Ends it without a chance to do anything. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.ended
  }

  /** Stops the process: nothing runs, connections stay open. */
  pause(): void {
    this.child.kill('SIGSTOP')
  }

  /** Goes on after {@link pause}. */
  resume(): void {
    this.child.kill('SIGCONT')
  }

  /** Asks it to stop, and waits. */
  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM')
    return this.ended
  }
}

/** A port nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}
