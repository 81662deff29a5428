import type { Asked, FeedbackMode } from '@pb-oel/core'
import type { RecordKind } from '../log/record.ts'
import type { ConfigurationChange, SystemConfiguration } from './configuration.ts'

/** Who and, where a caller gave one, under which idempotency key. */
interface Origin {
  /** Who caused the event: the name of a token, or what an open local server was told. */
  by: string
  /** Repeating a request with the same key changes nothing and gives the first answer. */
  key?: string
}

/** A sample as it was assessed: complete, missing channels already filled. */
export interface SampleBody extends Origin {
  values: number[]
  /** Channels whose last value was held because the sample had none. */
  held?: number[]
  /** The sensor's own clock, milliseconds since 1970. */
  at?: number
  mode?: FeedbackMode
}

/** An assessment as `core` gave it. */
export interface AssessmentBody {
  id: number
  level: number
  probabilities: number[]
  confidence: number
  /** The level each expert voted for. */
  experts: number[]
  /** Experts rebuilt because of drift since the assessment before. */
  drifts?: number[]
  /** Where the system chooses what people are asked: the question put, or `false` when none was. */
  asked?: Asked | false
}

/** An answer to an assessment, first or corrected. */
export interface FeedbackBody extends Origin {
  assessment: number
  answer: 'confirm' | 'reject' | 'label'
  level?: number
  /** When the person decided, by their own clock, milliseconds since 1970. */
  at?: number
}

/** A change of the alarm. */
export interface AlarmBody {
  /** Alarms of a system are numbered 1, 2, 3, … */
  number: number
  status: AlarmStatus
  /** The level that caused the change. */
  level: number
}

/**
 * `normal`; `active` until a person acknowledges; `acknowledged` until the level falls; `returned` when the level fell
 * before anybody acknowledged (the states of ISA-18.2).
 */
export type AlarmStatus = 'normal' | 'active' | 'acknowledged' | 'returned'

/** The bodies by kind, for everything the fold of a system reads or writes. */
export interface EventBodies {
  created: { configuration: SystemConfiguration; by: string }
  sample: SampleBody
  assessment: AssessmentBody
  feedback: FeedbackBody
  correction: FeedbackBody
  configuration: { change: ConfigurationChange; by: string }
  alarm: AlarmBody
  acknowledgement: { number: number; by: string }
  snapshot: { sequence: number; sha256: string }
  compaction: { through: number; hash: string; by: string }
}

/** A kind with its body. */
export type SystemEvent = { [K in keyof EventBodies]: { kind: K; body: EventBodies[K] } }[keyof EventBodies]

/** Kinds that follow from the others, and are compared when a log is replayed. */
export const DERIVED: ReadonlySet<RecordKind> = new Set<RecordKind>(['assessment', 'alarm'])
/** Kinds that mark upkeep of the log and change no state. */
export const MARKS: ReadonlySet<RecordKind> = new Set<RecordKind>(['snapshot', 'compaction'])
