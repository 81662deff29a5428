import { ReplayDifference } from '../errors.ts'
import { DERIVED, type EventBodies, MARKS, type SystemEvent } from '../fold/events.ts'
import { SystemFold } from '../fold/system-fold.ts'
import type { LogRecord } from '../log/record.ts'

/** Feeds recorded events to a fold, one record after the other, and compares what follows with what was recorded. */
export class Replayer {
  /** The system so far; `undefined` before its first record. */
  fold: SystemFold | undefined
  private readonly system: string
  private expected: SystemEvent[] = []

  /** @param fold where to go on from; from the beginning of the log when left out */
  constructor(system: string, fold?: SystemFold) {
    this.system = system
    this.fold = fold
  }

  /** Takes the next record. */
  feed({ sequence, time, kind, body }: LogRecord): void {
    if (kind === 'created') {
      const { configuration }: EventBodies['created'] = JSON.parse(body)
      this.fold = new SystemFold(this.system, configuration, sequence, time)
      return
    }
    const { fold } = this
    if (!fold) throw new ReplayDifference(this.system, sequence, kind, 'nothing: the system was not created before')
    const next = this.expected.shift()
    if (DERIVED.has(kind)) {
      const replayed = next ? JSON.stringify(next.body) : 'nothing'
      if (next?.kind !== kind || replayed !== body) {
        throw new ReplayDifference(this.system, sequence, `${kind} ${body}`, `${next?.kind ?? ''} ${replayed}`)
      }
      return
    }
    if (next) {
      throw new ReplayDifference(this.system, sequence, kind, `${next.kind} ${JSON.stringify(next.body)}`)
    }
    if (MARKS.has(kind)) fold.skip(time)
    else this.expected = fold.apply({ kind, body: JSON.parse(body) } as SystemEvent, time)
  }
}
