import { parentPort, type Transferable, workerData } from 'node:worker_threads'
import { DirectReader } from '../log/direct-reader.ts'
import { loadModules, type ModuleFiles } from '../replay/load-modules.ts'
import { type ToldError, told } from '../told-error.ts'
import { standBack } from './low-priority.ts'
import { StoreReading } from './store-reading.ts'

/** What a thread is started with. */
export interface ReadingThreadData {
  file: string
  /** Modules from outside that systems may use. */
  modules?: ModuleFiles
  /** Let the threads that take samples go first. */
  standsBack: boolean
}

/** A call of a method of {@link StoreReading}, from another thread. */
export interface ReadingCall {
  id: number
  method: keyof StoreReading
  args: unknown[]
}

/** The answer to a call. */
export interface ReadingAnswer {
  id: number
  value?: unknown
  error?: ToldError
}

// The entry of a thread with a connection of its own: it answers calls one after the other.
if (parentPort) {
  const port = parentPort
  const { file, modules = {}, standsBack } = workerData as ReadingThreadData
  if (standsBack) standBack()
  const reading = new StoreReading(new DirectReader(file), await loadModules(modules))
  let earlier: Promise<void> = Promise.resolve()
  port.on('message', (call: ReadingCall) => {
    earlier = earlier.then(() => answer(call))
  })

  async function answer({ id, method, args }: ReadingCall): Promise<void> {
    try {
      const value = await (reading[method] as (...args: unknown[]) => Promise<unknown>).apply(reading, args)
      port.postMessage({ id, value } satisfies ReadingAnswer, buffersOf(value))
    } catch (error) {
      port.postMessage({ id, error: told(error as Error) } satisfies ReadingAnswer)
    }
  }
}

/** The memory of an answer, which is handed over and not copied. Small buffers share memory with others. */
function buffersOf(value: unknown): Transferable[] {
  const bytes = value instanceof Uint8Array ? value : (value as { bytes?: Uint8Array } | undefined)?.bytes
  return bytes && bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer as ArrayBuffer] : []
}
