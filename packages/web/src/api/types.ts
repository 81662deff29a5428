/** The answers of the server that the page reads, as in its /openapi.json. */

/** An alarm of a system; the states are those of ISA-18.2. */
export interface Alarm {
  number: number
  status: 'normal' | 'active' | 'acknowledged' | 'returned'
  level: number
  since: number
  acknowledgedBy?: string
}

/** One row of the list of systems. */
export interface Summary {
  id: string
  title: string
  /** Names of the levels, safest first. */
  levels: string[]
  ready: boolean
  sequence: number
  level: number | null
  levelName: string | null
  likely: number | null
  confidence: number | null
  probabilities: number[]
  alarm: Alarm
  degraded: string[]
  lastSampleTime: number | null
  lastSampleAge: number | null
  samples: number
  openQuestions: number
  accuracy: number | null
  recentAccuracy: number | null
}

/** How often what happened. */
interface Counts {
  samples: number
  degraded: number
  drifts: number
  confirms: number
  rejects: number
  labels: number
  corrections: number
  right: number
  wrong: number
  misses: number
  falseAlarms: number
}

/** Everything about one system. */
export interface Detail extends Summary {
  configuration: {
    title: string
    channels: string[]
    levels: string[]
    method: string
    alarm: { level: number }
    queue: Reasons
  }
  counts: Counts
  lastValues: number[]
  /** Normalised weights of the experts, where the method has them. */
  weights?: number[]
  restarts?: number
}

/** What is promised and what has been reached. */
export interface Guarantee {
  applies: boolean
  reason?: string
  rounds?: number
  accuracy?: number
  ultimate?: number
  bestExpert?: number
  bestExpertAccuracy?: number
  value?: number
  regret?: number
}

/** One point of the course of accuracy, bounds and weights. */
export interface ProgressPoint extends Pick<Guarantee, 'ultimate' | 'bestExpertAccuracy' | 'value'> {
  time: number
  accuracy?: number | null
  recentAccuracy?: number | null
  weights?: number[]
}

/** An assessment as the log and the event stream hold it. */
export interface AssessmentBody {
  id: number
  level: number
  probabilities: number[]
  confidence: number
  experts: number[]
  drifts?: number[]
}

/** What a person said. */
export interface Answer {
  answer: 'confirm' | 'reject' | 'label'
  level?: number
}

/** An answer as the log holds it. */
export interface FeedbackBody extends Answer {
  assessment: number
  by: string
}

/** A sample with its assessment and, while it is kept, its answer. */
export interface HistorySample {
  assessment: number
  sequence: number
  time: number
  level: number
  levelName: string
  likely: number
  probabilities: number[]
  confidence: number
  experts: number[]
  drifts?: number[]
  degraded?: string[]
  values: number[]
  answer?: Answer & { by: string }
}

/** Why a question is worth an answer, each 0 … 1. */
export interface Reasons {
  uncertainty: number
  disagreement: number
  level: number
  freshness: number
}

/** An open question of the review queue. */
export interface Question extends HistorySample {
  worth: number
  reasons: Reasons
  votes: number[]
  age: number
  claim?: { by: string; until: number }
  /** Where the system chooses its questions: what it asks for, and how probable it was that it would. */
  asked?: { kind: 'verdict' | 'label'; probability: number }
}

/** The server has learned from an answer. */
export interface FeedbackReceipt {
  assessment: number
  kind: 'feedback' | 'correction'
  sequence: number
  time: number
  effect?: { accuracy: [number | null, number | null]; weights?: [number[], number[]] }
}

/** A record of the log. */
export interface LogRecord {
  sequence: number
  time: number
  kind: string
  body: Record<string, unknown>
  hash: string
}

/** A page of the log. */
export interface LogPage {
  first: number
  last: number
  records: LogRecord[]
  next?: number
}

/** The state after a record. */
export interface PastState {
  system: Detail
  guarantee: Guarantee
  stateHash: string
}

/** Who uses the page. */
export interface Me {
  name: string
  roles: ('sensor' | 'expert' | 'viewer' | 'admin')[]
  systems: string[]
  open: boolean
}

/** The simulation behind a system, where there is one. */
export interface SimulationSetting {
  system: string
  speed: number
  answers: number
  labels: number
}
