import { ReadingThread } from './reading-thread.ts'
import type { RebuiltState } from './store-reading.ts'

/** Rebuilds systems of a store in a thread of its own. */
export class ThreadRebuilder {
  private readonly thread: ReadingThread

  constructor(file: string) {
    this.thread = new ReadingThread({ file, standsBack: false })
  }

  ready(): Promise<void> {
    return this.thread.call('ready')
  }

  rebuild(system: string): Promise<RebuiltState> {
    return this.thread.call('rebuild', system)
  }

  end(): Promise<void> {
    return this.thread.end()
  }
}
