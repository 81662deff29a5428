import { type Assessor, type Feedback as CoreFeedback, createAssessor, type Extensions } from '@pb-oel/core'
import { decodeBody, type Feedback } from '@pb-oel/protocol'
import { NotFound } from '../errors.ts'
import { type Excluded, excludedBefore, isExcluded } from '../fold/excluded.ts'
import { serviceOptions } from '../fold/service-options.ts'
import type { LogReader } from '../log/event-log.ts'
import type { StoredRecord } from '../log/record.ts'
import { excludedIn } from './exclusions.ts'

/** Another model in place of the one that ran. */
export interface WhatIf {
  method?: string
  options?: Record<string, unknown>
  seed?: number
}

/** What ran beside what would have run, over the answers that tell about both. */
export interface WhatIfReport {
  system: string
  method: string
  options: Record<string, unknown>
  samples: number
  /** Excluded samples: neither model has learned from them, and the other one has not seen them. */
  excluded: number
  /** Assessments of the same level. */
  agreement: number
  /** Answers that say for both models whether they were right. */
  comparable: number
  /** Answers that do not: "wrong" for one level says nothing about another of three or more. */
  undecided: number
  /** Share right among the comparable ones. */
  recordedAccuracy: number | null
  whatIfAccuracy: number | null
}

const PAGE = 1_000

/**
 * Runs another model over a recorded log: the same samples, and the answers people would have given it, as far as
 * their real answers tell. Excluded samples are left out, as the recorded model was made without them. A confirmed or
 * named level is known, so the other model is confirmed, rejected or told accordingly; a rejected level only tells
 * about a model that chose the same one.
 *
 * @param extensions methods, detectors and learners from outside that the other model may use
 */
export async function whatIf(
  log: LogReader,
  system: string,
  change: WhatIf,
  extensions?: Extensions,
): Promise<WhatIfReport> {
  const extent = await log.extent(system)
  const [created] = await log.read(system, { limit: 1 })
  if (!extent || created?.kind !== 'created') throw new NotFound(`the log of ${system} does not begin at its beginning`)
  const { configuration, state } = decodeBody('created', created.body, []).body
  if (state) throw new NotFound(`the log of ${system} begins with the state of the system it was cloned from`)
  const { channels, levels } = configuration
  const method = change.method ?? configuration.method
  // Another model is made as a new system would be; the recorded one as it was.
  const same = change.method === undefined && change.options === undefined
  const options = same
    ? configuration.options
    : serviceOptions({ channels, levels, method, options: change.options }, extensions)
  const seed = change.seed ?? configuration.seed
  const task = { channels: channels.length, levels: levels.length, seed }
  const assessor = createAssessor(method, task, options, extensions)
  const run = new WhatIfRun(assessor, channels, await excludedIn(log, system))
  for (let from = 2; from <= extent.last; from += PAGE) {
    const records = await log.read(system, { from, to: Math.min(extent.last, from + PAGE - 1), limit: PAGE })
    for (const record of records) run.feed(record)
  }
  return { system, method, options, ...run.report() }
}

class WhatIfRun {
  private readonly assessor: Assessor
  private readonly channels: readonly string[]
  /** Levels chosen, recorded and by the other model, by assessment. */
  private readonly recorded: number[] = []
  private readonly chosen: (number | undefined)[] = []
  private readonly excluded: Excluded
  private same = 0
  private undecided = 0
  /** By assessment: who was right; the latest answer counts. */
  private readonly verdicts = new Map<number, { recorded: boolean; chosen: boolean }>()

  constructor(assessor: Assessor, channels: readonly string[], excluded: Excluded) {
    this.assessor = assessor
    this.channels = channels
    this.excluded = excluded
  }

  feed({ kind, body }: StoredRecord): void {
    if (kind === 'sample') {
      const { values, mode } = decodeBody(kind, body, this.channels).body
      const seen = !isExcluded(this.excluded, this.chosen.length)
      this.chosen.push(seen ? this.assessor.assess(Float64Array.from(values), mode).level : undefined)
    } else if (kind === 'assessment') {
      const { level } = decodeBody(kind, body, this.channels).body
      this.recorded.push(level)
      if (this.chosen[this.recorded.length - 1] === level) this.same++
    } else if (kind === 'feedback' || kind === 'correction') {
      this.answer(decodeBody(kind, body, this.channels).body)
    }
  }

  report(): Omit<WhatIfReport, 'system' | 'method' | 'options'> {
    const verdicts = [...this.verdicts.values()]
    const share = (right: (verdict: { recorded: boolean; chosen: boolean }) => boolean) =>
      verdicts.length === 0 ? null : verdicts.filter(right).length / verdicts.length
    return {
      samples: this.chosen.length - excludedBefore(this.excluded, this.chosen.length),
      excluded: excludedBefore(this.excluded, this.chosen.length),
      agreement: this.same,
      comparable: verdicts.length,
      undecided: this.undecided,
      recordedAccuracy: share(({ recorded }) => recorded),
      whatIfAccuracy: share(({ chosen }) => chosen),
    }
  }

  private answer({ assessment, kind, level }: Feedback): void {
    const recorded = this.recorded[assessment]
    const chosen = this.chosen[assessment]
    if (chosen === undefined) return
    const { levels } = this.assessor
    // With two levels, the rejection of one is the confirmation of the other.
    const other = levels === 2 ? 1 - recorded : undefined
    const truth = kind === 'label' ? level : kind === 'confirm' ? recorded : other
    if (truth === undefined && chosen !== recorded) {
      this.undecided++
      return
    }
    const right = chosen === truth
    // A repeated answer in the log was a correction; another model may have had no first one.
    const correction = this.verdicts.has(assessment)
    const feedback: CoreFeedback =
      kind === 'label'
        ? { kind: 'label', level: level as number, correction }
        : { kind: right ? 'confirm' : 'reject', correction }
    this.assessor.learn(assessment - excludedBefore(this.excluded, assessment), feedback)
    this.verdicts.set(assessment, { recorded: recorded === truth, chosen: right })
  }
}
