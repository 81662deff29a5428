import { OptionError } from '../../errors.ts'
import { newTurns, type Turns } from './turns.ts'
import type { WasmMemory, WasmModule } from './web-assembly.ts'

/** What a thread is given. */
export interface ThreadTask {
  readonly module: WasmModule
  /** Shared memory that holds the arena. */
  readonly memory: WasmMemory
  /** What the module's `configure` takes. */
  readonly sizes: readonly number[]
  readonly turns: Turns
}

/**
 * The part of Node's worker threads that is used here. Core imports nothing, so it asks the engine, as for WebAssembly.
 */
interface NodeThreads {
  readonly workerData: unknown
  Worker: new (
    file: object,
    options: { workerData: ThreadTask; execArgv: [] },
  ) => {
    on(event: 'error', listener: (error: Error) => void): unknown
    unref(): void
    terminate(): unknown
  }
}

interface Engine {
  readonly process?: { getBuiltinModule?(name: string): unknown }
  URL: new (path: string, base: string) => object
}

const engine = globalThis as unknown as Engine
const { url } = import.meta as unknown as { url: string }

/** Node's worker threads, or `undefined` in another engine. */
export function nodeThreads(): NodeThreads | undefined {
  return engine.process?.getBuiltinModule?.('node:worker_threads') as NodeThreads | undefined
}

/** Ends the threads of kernels that nobody holds any more. */
const unused = new FinalizationRegistry<{ terminate(): unknown }>((worker) => worker.terminate())

/**
 * Starts `count` threads that join the turns of one kernel; returns these turns. The threads sleep between turns and do
 * not keep a process alive. They end some time after `owner`, the kernel, is gone.
 */
export function startThreads(owner: object, count: number, task: Omit<ThreadTask, 'turns'>): Turns {
  const turns = newTurns()
  const { Worker } = nodeThreads() as NodeThreads
  // In a clone this is TypeScript, in a published package JavaScript.
  const file = new engine.URL(url.endsWith('.ts') ? './thread.ts' : './thread.js', url)
  for (let i = 0; i < count; i++) {
    const worker = new Worker(file, { workerData: { ...task, turns }, execArgv: [] })
    worker.on('error', ({ message }) => {
      throw new OptionError('threads', count + 1, `1 here: a thread ended with "${message}"`)
    })
    worker.unref()
    unused.register(owner, worker)
  }
  return turns
}
