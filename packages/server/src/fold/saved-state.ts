import type { AnswerKind, Asked, Configuration, NoveltyFinding, ProgressPoint } from '@pb-oel/protocol'
import type { AlarmBook } from './alarm-book.ts'
import type { Excluded } from './excluded.ts'
import type { Progress } from './progress.ts'
import { bodyOf, type RecentAssessment } from './recent-assessments.ts'
import type { Pair } from './reliability.ts'
import { type SavedAlarms, savedAlarms } from './saved-alarms.ts'
import type { Tally } from './tally.ts'

/** What is saved as it is. */
interface Unchanged {
  id: string
  sequence: number
  time: number
  configuration: Configuration
  lastValues: number[] | undefined
}

/** Steady time, where it is not the time of the records. */
interface SavedSteadiness {
  steady: number
  pace: number
  heard: number | null
}

/** What a snapshot holds of a system. */
export interface SavedParts extends Unchanged {
  /** Names of the channels that are held. */
  degraded: readonly string[]
  tally: Tally
  progress: Progress
  asker: Uint8Array | undefined
  promises: Uint8Array | undefined
  novelty: Uint8Array | undefined
  stuck: Uint8Array | undefined
  alarms: AlarmBook
  steadiness: SavedSteadiness | undefined
  excluded: Excluded | undefined
  recent: readonly RecentAssessment[]
  keys: readonly (readonly [string, number])[]
  /** Number of the first assessment of the present model; left out for 0. */
  firstAssessment: number | undefined
  /** What second opinions say of pairs of reviewers; left out where there are none. */
  pairs: readonly Pair[] | undefined
  /** Who shall answer the questions of the system. */
  assignedTo: string | undefined
  assessor: Uint8Array
}

/**
 * The head of a snapshot: JSON, version 1. The state hash is taken over these bytes, so names and order stay as they
 * are, whatever the objects in memory are called: the hash of a system must not change with the software.
 */
interface SavedHead extends Unchanged, SavedAlarms {
  version: 1
  held: number[]
  tally: SavedTally
  course: { points: ProgressPoint[]; stride: number; since: number }
  asker: string | undefined
  /** Absent in systems from before promises were kept. */
  promises: string | undefined
  /** Absent while steady time is the time of the records. */
  steadiness: SavedSteadiness | undefined
  /** Absent while the model has seen every sample. */
  excluded: Excluded | undefined
  questions: SavedAssessment[]
  keys: readonly (readonly [string, number])[]
  /** Absent where no channel was ever added. */
  firstAssessment: number | undefined
  /** Absent where nobody gave a second opinion. */
  pairs: readonly Pair[] | undefined
  /** Absent where anybody may answer. */
  assignedTo: string | undefined
  /** Absent where nobody looks for novel samples. */
  novelty: string | undefined
  /** Absent where the system does not look for channels that stop moving. */
  stuck: string | undefined
}

type SavedTally = Pick<
  Tally,
  | ('samples' | 'degraded' | 'drifts' | 'confirms' | 'rejects' | 'labels' | 'corrections')
  | ('right' | 'wrong' | 'misses' | 'falseAlarms' | 'answers' | 'recent' | 'weights')
  | ('abstentions' | 'secondOpinions')
>

interface SavedAssessment {
  id: number
  level: number
  probabilities: number[]
  confidence: number
  rawConfidence?: number
  safeSide?: number
  trained?: boolean
  novelty?: NoveltyFinding
  experts: number[]
  drifts?: number[]
  asked?: Asked | false
  sequence: number
  time: number
  held?: number[]
  answer?: { answer: AnswerKind; by: string; number: number; level?: number; stretch?: number }
  withdrawn?: true
  excluded?: true
  redrawn?: number
  untold?: true
  second?: 'wanted' | { by: string }
  abstained?: string[]
  assignedTo?: string
}

/** The whole state as bytes: the length of the head, the head, then the assessor's own snapshot. */
export function encodeState(parts: SavedParts): Uint8Array {
  const { id, sequence, time, configuration, lastValues, degraded, tally, progress, recent, keys } = parts
  const { channels } = configuration
  const { alarm, accuracyAlarm, stale, alarms } = savedAlarms(parts.alarms)
  const head: SavedHead = {
    version: 1,
    ...{ id, sequence, time, configuration },
    alarm,
    lastValues,
    held: indices(channels, degraded),
    tally: savedTally(tally),
    course: { points: progress.points, stride: progress.stride, since: progress.since },
    asker: textOf(parts.asker),
    promises: textOf(parts.promises),
    accuracyAlarm,
    steadiness: parts.steadiness,
    stale,
    excluded: parts.excluded,
    questions: recent.map((entry) => savedAssessment(entry, channels)),
    keys,
    firstAssessment: parts.firstAssessment,
    alarms,
    pairs: parts.pairs,
    assignedTo: parts.assignedTo,
    novelty: textOf(parts.novelty),
    stuck: textOf(parts.stuck),
  }
  const text = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  return Buffer.concat([length, text, parts.assessor])
}

/** What {@link encodeState} was given; tally and progress as plain fields. */
export function decodeState(bytes: Uint8Array): Omit<SavedParts, 'tally' | 'progress' | 'alarms'> &
  SavedAlarms & {
    tally: SavedTally
    progress: SavedHead['course']
  } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = 4 + buffer.readUInt32LE()
  const head: SavedHead = JSON.parse(buffer.toString('utf8', 4, end))
  const { id, sequence, time, configuration, lastValues, held, tally, course, questions, keys } = head
  const { alarm, accuracyAlarm, stale, alarms } = head
  const { channels } = configuration
  return {
    ...{ id, sequence, time, configuration, lastValues, tally, keys },
    ...{ alarm, accuracyAlarm, stale, alarms },
    degraded: held.map((channel) => channels[channel]),
    progress: course,
    asker: bytesOf(head.asker),
    promises: bytesOf(head.promises),
    novelty: bytesOf(head.novelty),
    stuck: bytesOf(head.stuck),
    steadiness: head.steadiness,
    excluded: head.excluded,
    recent: questions.map((saved) => recentAssessment(saved, channels)),
    firstAssessment: head.firstAssessment,
    pairs: head.pairs,
    assignedTo: head.assignedTo,
    assessor: Uint8Array.from(buffer.subarray(end)),
  }
}

function savedTally(tally: Tally): SavedTally {
  const { samples, degraded, drifts, confirms, rejects, labels, corrections } = tally
  const { right, wrong, misses, falseAlarms, answers, recent, weights, abstentions, secondOpinions } = tally
  return {
    ...{ samples, degraded, drifts, confirms, rejects, labels, corrections },
    ...{ right, wrong, misses, falseAlarms, answers, recent, weights, abstentions, secondOpinions },
  }
}

/** What of an assessment is undefined is not in the text. */
function savedAssessment(entry: RecentAssessment, channels: readonly string[]): SavedAssessment {
  const { sequence, time, degraded, answer, excluded, redrawn, withdrawn } = entry
  const { untold, second, abstained, assignedTo } = entry
  const { assessment: id, ...body } = bodyOf(entry)
  return {
    ...{ id, ...body },
    ...{ sequence, time },
    held: degraded && indices(channels, degraded),
    answer: answer && savedAnswer(answer),
    ...{ withdrawn, excluded, redrawn, untold, second, abstained, assignedTo },
  }
}

function savedAnswer({ kind, by, number, level, stretch }: NonNullable<RecentAssessment['answer']>) {
  return { answer: kind, by, number, level, stretch }
}

function recentAssessment(saved: SavedAssessment, channels: readonly string[]): RecentAssessment {
  const { id, held, answer, ...rest } = saved
  return {
    ...{ assessment: id, ...rest },
    ...(held && { degraded: held.map((channel) => channels[channel]) }),
    ...(answer && { answer: recentAnswer(answer) }),
  }
}

function recentAnswer({ answer, ...rest }: NonNullable<SavedAssessment['answer']>): RecentAssessment['answer'] {
  return { kind: answer, ...rest }
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes).toString('base64')
}

function bytesOf(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : Uint8Array.from(Buffer.from(text, 'base64'))
}

function indices(channels: readonly string[], names: readonly string[]): number[] {
  return names.map((name) => channels.indexOf(name))
}
