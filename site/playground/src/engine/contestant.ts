import type { Feedback } from '@pb-oel/core'
import { signal } from '@preact/signals'
import type { MethodChoice } from '../settings/settings.ts'
import type { Figures, LatestAssessment, OwnQuestion } from './figures.ts'
import type { Job } from './job.ts'
import type { Order, Report, StreamShape } from './messages.ts'
import type { Point } from './point.ts'
import RunWorker from './worker.ts?worker&inline'

/** Where a contestant stands. */
export type Phase = 'opening' | 'running' | 'paused' | 'asking' | 'done' | 'failed'

/** One method at work in its own worker, as the page sees it. */
export class Contestant {
  readonly method: MethodChoice
  readonly phase = signal<Phase>('opening')
  readonly stream = signal<StreamShape | undefined>(undefined)
  readonly figures = signal<Figures | undefined>(undefined)
  readonly latest = signal<LatestAssessment | undefined>(undefined)
  readonly question = signal<OwnQuestion | undefined>(undefined)
  readonly problem = signal('')
  /** Grows; `version` changes with it. */
  readonly points: Point[] = []
  readonly version = signal(0)
  private readonly worker = new RunWorker()

  constructor(job: Job, pace: number) {
    this.method = job.method
    this.worker.onmessage = ({ data }: MessageEvent<Report>) => this.hear(data)
    this.worker.onerror = ({ message }) => this.hear({ kind: 'failed', message: message || 'the worker did not start' })
    this.order({ kind: 'start', job, pace })
  }

  pause(): void {
    if (this.phase.value !== 'running') return
    this.phase.value = 'paused'
    this.order({ kind: 'pause' })
  }

  resume(): void {
    if (this.phase.value !== 'paused') return
    this.phase.value = 'running'
    this.order({ kind: 'resume' })
  }

  setPace(pace: number): void {
    this.order({ kind: 'pace', pace })
  }

  /** Answers the open question; `undefined` skips it. */
  answer(feedback: Feedback | undefined): void {
    if (this.question.value === undefined) return
    this.question.value = undefined
    this.phase.value = 'running'
    this.order({ kind: 'answer', feedback })
  }

  /** Ends the worker. */
  stop(): void {
    this.worker.terminate()
  }

  private order(order: Order): void {
    this.worker.postMessage(order)
  }

  private hear(report: Report): void {
    switch (report.kind) {
      case 'opened':
        this.stream.value = report.stream
        this.phase.value = 'running'
        break
      case 'progress':
        this.figures.value = report.figures
        this.latest.value = report.latest
        this.points.push(...report.points)
        this.version.value++
        break
      case 'asks':
        this.question.value = report.question
        this.phase.value = 'asking'
        break
      case 'done':
        this.phase.value = 'done'
        break
      case 'failed':
        this.problem.value = report.message
        this.phase.value = 'failed'
        this.stop()
    }
  }
}
