import type { Feedback } from '@pb-oel/core'
import type { Figures, LatestAssessment, OwnQuestion } from './figures.ts'
import type { Job } from './job.ts'
import type { Point } from './point.ts'

/** Samples per second that no browser reaches: as fast as it can. */
export const FULL_SPEED = 1e9

/** What the page tells a worker. */
export type Order =
  | { kind: 'start'; job: Job; pace: number }
  | { kind: 'pace'; pace: number }
  | { kind: 'pause' }
  | { kind: 'resume' }
  | { kind: 'answer'; feedback: Feedback | undefined }

/** What a worker tells the page. */
export type Report =
  | { kind: 'opened'; stream: StreamShape }
  | { kind: 'progress'; figures: Figures; points: Point[]; latest: LatestAssessment | undefined }
  | { kind: 'asks'; question: OwnQuestion }
  | { kind: 'done' }
  | { kind: 'failed'; message: string }

/** Names and size of a stream. */
export interface StreamShape {
  name: string
  channels: readonly string[]
  levels: readonly string[]
  samples: number
}
