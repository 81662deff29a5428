import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DataError } from '../errors.ts'
import type { JobResult } from '../job/run-job.ts'

/**
 * Finished results, one line of JSON each, in one file per version of the code. A line is written in one piece when its
 * job is done; a line that a crash cut short is passed over, and its job runs again.
 */
export class ResultStore {
  private readonly path: string
  private readonly results = new Map<string, JobResult>()

  /**
   * @param folder where the file is, made when missing
   * @param version of the code, as `codeVersion` gives it
   */
  constructor(folder: string, version: string) {
    this.path = join(folder, `${version}.ndjson`)
    try {
      mkdirSync(folder, { recursive: true })
      if (!existsSync(this.path)) return
      const text = readFileSync(this.path, 'utf8')
      for (const line of text.split('\n')) this.read(line)
      if (text !== '' && !text.endsWith('\n')) appendFileSync(this.path, '\n')
    } catch (cause) {
      throw new DataError(this.path, `cannot be used to keep results (${(cause as NodeJS.ErrnoException).code})`)
    }
  }

  /** The result of a key, if it is there. */
  get(key: string): JobResult | undefined {
    return this.results.get(key)
  }

  /** Keeps a result. */
  put(key: string, result: JobResult): void {
    appendFileSync(this.path, `${JSON.stringify({ key, ...result })}\n`)
    this.results.set(key, result)
  }

  private read(line: string): void {
    try {
      const { key, ...result } = JSON.parse(line)
      if (typeof key === 'string' && result.trace) this.results.set(key, result)
    } catch {
      // Cut short by a crash.
    }
  }
}
