import { join } from 'node:path'
import { format } from 'node:util'
import { commandLine } from '../command-line.ts'

/** What a command printed, and its exit code. */
export interface Printed {
  stdout: string
  stderr: string
  status: number
}

/**
 * Runs a command as `pb-oel` does, in a folder, without a process of its own: to start one takes longer than most of
 * what is looked at. One at a time. Results are kept in `cache` of the folder.
 */
export const cli = (folder: string, ...words: string[]): Promise<Printed> => watchedCli(folder, words, () => {})

/** As {@link cli}, and tells what is written to stderr meanwhile. */
export async function watchedCli(folder: string, words: string[], watch: (line: string) => void): Promise<Printed> {
  const [home, argv, interrupts] = [process.cwd(), process.argv, process.listeners('SIGINT')]
  const { PB_OEL_CACHE } = process.env
  const printed = { stdout: '', stderr: '' }
  const take = {
    stdout: (text: string) => (printed.stdout += text),
    stderr: (text: string) => {
      printed.stderr += text
      watch(text)
    },
  }
  const undo = (['stdout', 'stderr'] as const).map((name) => catchAll(name, take[name]))
  process.chdir(folder)
  process.env.PB_OEL_CACHE = join(folder, 'cache')
  process.argv = [...argv.slice(0, 2), ...words]
  try {
    const failed = await commandLine(words)
    return { ...printed, status: failed ?? Number(process.exitCode ?? 0) }
  } finally {
    for (const back of undo) back()
    process.exitCode = undefined
    process.argv = argv
    process.chdir(home)
    if (PB_OEL_CACHE === undefined) delete process.env.PB_OEL_CACHE
    else process.env.PB_OEL_CACHE = PB_OEL_CACHE
    // What a command adds for Ctrl-C ends with its process.
    process.removeAllListeners('SIGINT')
    for (const listener of interrupts) process.on('SIGINT', listener)
  }
}

/** Takes what is written to a stream, also by the console; returns what undoes it. */
function catchAll(name: 'stdout' | 'stderr', take: (text: string) => void): () => void {
  const stream = process[name]
  const print = name === 'stdout' ? 'log' : 'error'
  const [write, log] = [stream.write, console[print]]
  stream.write = (chunk: Uint8Array | string, ...rest: unknown[]) => {
    take(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())
    const done = rest.at(-1)
    if (typeof done === 'function') done()
    return true
  }
  console[print] = (...values) => take(`${format(...values)}\n`)
  return () => {
    stream.write = write
    console[print] = log
  }
}
