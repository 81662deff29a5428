import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Memory, Question, ServerQuestion } from './server-process.ts'

/** A server in a process of its own. */
export class ServerUnderLoad {
  readonly url: string
  private readonly child: ChildProcess

  private constructor(child: ChildProcess, url: string) {
    this.child = child
    this.url = url
  }

  /** Starts one; resolves when it listens. */
  static async start(question: ServerQuestion): Promise<ServerUnderLoad> {
    const entry = import.meta.url.endsWith('.ts') ? './server-process.ts' : './server-process.js'
    const child = fork(fileURLToPath(new URL(entry, import.meta.url)), {
      execArgv: ['--expose-gc'],
      // Compiled code is kept between runs, as the command keeps it.
      env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'pb-oel-bench-compiled') },
    })
    return new ServerUnderLoad(child, (await ask(child, question)) as string)
  }

  memory(): Promise<Memory> {
    return ask(this.child, 'memory') as Promise<Memory>
  }

  /** Seconds that all of its threads have had on all cores so far. */
  processorSeconds(): Promise<number> {
    return ask(this.child, 'processor') as Promise<number>
  }

  /** Ends it properly. */
  async stop(): Promise<void> {
    this.child.send('stop' satisfies Question)
    await once(this.child, 'exit')
  }

  /** Ends it without a chance to do anything. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await once(this.child, 'exit')
  }
}

async function ask(child: ChildProcess, question: Question): Promise<unknown> {
  child.send(question)
  const [answer] = await once(child, 'message')
  return answer
}

/** The value that a share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
}
