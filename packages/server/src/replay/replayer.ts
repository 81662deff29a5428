import type { Extensions } from '@pb-oel/core'
import {
  type AssessmentBody,
  DERIVED_KINDS,
  decodeBody,
  encodeBody,
  type RecordBodies,
  type SystemEvent,
  UPKEEP_KINDS,
} from '@pb-oel/protocol'
import { ReplayDifference } from '../errors.ts'
import { SystemFold } from '../fold/system-fold.ts'
import type { StoredRecord } from '../log/record.ts'
import { checkChange, checkConfiguration, understanding } from './later-release.ts'

/** Feeds recorded events to a fold, one record after the other, and compares what follows with what was recorded. */
export class Replayer {
  /** The system so far; `undefined` before its first record. */
  fold: SystemFold | undefined
  private readonly system: string
  private readonly extensions: Extensions | undefined
  private expected: SystemEvent[] = []

  /**
   * @param fold where to go on from; from the beginning of the log when left out
   * @param extensions methods, detectors and learners from outside that the system may use
   */
  constructor(system: string, fold?: SystemFold, extensions?: Extensions) {
    this.system = system
    this.extensions = extensions
    this.fold = fold
  }

  /**
   * Takes the next record.
   *
   * @param shown what was shown of a sample, where the log is run again with another model
   */
  feed(record: StoredRecord, shown?: AssessmentBody): void {
    understanding(this.system, record, () => this.take(record, shown))
  }

  private take(record: StoredRecord, shown: AssessmentBody | undefined): void {
    const { sequence, time, kind } = record
    if (kind === 'created') {
      const { configuration, state } = decodeBody(kind, record.body, []).body
      checkConfiguration(this.system, sequence, configuration)
      this.fold = state
        ? SystemFold.load(Buffer.from(state, 'base64'), this.extensions)
        : new SystemFold(this.system, configuration, sequence, time, this.extensions)
      return
    }
    const { fold } = this
    if (!fold) throw new ReplayDifference(this.system, sequence, kind, 'nothing: the system was not created before')
    const next = this.expected.shift()
    if (DERIVED_KINDS.includes(kind)) {
      this.compare(record, next, fold.configuration.channels)
      return
    }
    if (next) {
      throw new ReplayDifference(this.system, sequence, kind, `${next.kind} ${encodeBody(next.body)}`)
    }
    if (UPKEEP_KINDS.includes(kind)) fold.skip(time)
    else {
      const { body } = decodeBody(kind, record.body, fold.configuration.channels)
      if (kind === 'configuration') {
        checkChange(this.system, sequence, (body as RecordBodies['configuration']).change)
      }
      this.expected = fold.apply({ kind, body } as SystemEvent, time, shown)
    }
  }

  private compare({ sequence, kind, body }: StoredRecord, next: SystemEvent | undefined, channels: string[]): void {
    const replayed = next ? encodeBody(next.body) : 'nothing'
    if (next?.kind === kind && (body === replayed || sameInFirstVersion(kind, body, next, channels))) return
    throw new ReplayDifference(this.system, sequence, `${kind} ${body}`, `${next?.kind ?? ''} ${replayed}`)
  }
}

/** Whether a record of version 1 says what was replayed; it did not say who had acknowledged an alarm. */
function sameInFirstVersion(kind: StoredRecord['kind'], text: string, next: SystemEvent, channels: string[]): boolean {
  const { version, body } = decodeBody(kind, text, channels)
  if (version !== 1) return false
  const { acknowledgedBy: _, ...said } = next.body as Partial<RecordBodies['alarm']>
  return JSON.stringify(body) === JSON.stringify(said)
}
