import { type Assessor, addLevel, type Feedback as CoreFeedback, type Extensions } from '@pb-oel/core'
import {
  type AddedChannel,
  type AssessmentBody,
  type Configuration,
  decodeBody,
  type Feedback,
  type GivenWhatIf,
  type StretchBody,
  type WhatIfResult,
} from '@pb-oel/protocol'
import { NotFound } from '../errors.ts'
import { makeAssessor } from '../fold/configure.ts'
import { type Excluded, excludedBefore, isExcluded } from '../fold/excluded.ts'
import { serviceOptions } from '../fold/service-options.ts'
import { answerWithin } from '../fold/stretch.ts'
import { withChannel, withLevel } from '../fold/widen.ts'
import type { LogReader } from '../log/event-log.ts'
import type { StoredRecord } from '../log/record.ts'
import { excludedIn } from './exclusions.ts'

const PAGE = 1_000

/**
 * Runs another model over a recorded log: the same samples, and the answers people would have given it, as far as
 * their real answers tell. Excluded samples are left out, as the recorded model was made without them. A confirmed or
 * named level is known, so the other model is confirmed, rejected or told accordingly; a rejected level only tells
 * about a model that chose the same one.
 *
 * @param extensions methods, detectors and learners from outside that the other model may use
 * @param signal ends it
 */
export async function whatIf(
  log: LogReader,
  system: string,
  change: GivenWhatIf,
  extensions?: Extensions,
  signal?: AbortSignal,
): Promise<WhatIfResult> {
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
  const edition = same ? (configuration.edition ?? 1) : 2
  const left = {
    excluded: await excludedIn(log, system),
    withdrawn: await withdrawnStretches(log, system, extent.last),
  }
  const run = new WhatIfRun({ ...configuration, method, options, seed, edition }, left, extensions)
  for (let from = 2; from <= extent.last; from += PAGE) {
    const records = await log.read(system, { from, to: Math.min(extent.last, from + PAGE - 1), limit: PAGE })
    for (const record of records) run.feed(record)
    signal?.throwIfAborted()
  }
  return { system, method, options, ...run.report() }
}

/** The numbers of the records of stretches that were taken back: nobody answered so. */
async function withdrawnStretches(log: LogReader, system: string, to: number): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  for (let from = 1; from <= to; ) {
    const records = await log.read(system, { from, to, kinds: ['withdrawal'], limit: PAGE })
    for (const { body } of records) found.add(decodeBody('withdrawal', body, []).body.stretch)
    if (records.length < PAGE) break
    from = records[records.length - 1].sequence + 1
  }
  return found
}

/** What the other model is not to see. */
interface LeftOut {
  excluded: Excluded
  /** Numbers of the records of stretches that were taken back. */
  withdrawn: ReadonlySet<number>
}

class WhatIfRun {
  private configuration: Configuration
  private readonly extensions: Extensions | undefined
  private assessor: Assessor
  /** The first assessment of the present model; above 0 where a channel was added. */
  private first = 0
  /** Levels chosen, recorded and by the other model, by assessment. */
  private readonly recorded: Pick<AssessmentBody, 'level' | 'probabilities'>[] = []
  private readonly chosen: (number | undefined)[] = []
  /** Assessments that somebody has answered. */
  private readonly heard = new Set<number>()
  private readonly left: LeftOut
  private same = 0
  private undecided = 0
  /** By assessment: who was right; the latest answer counts. */
  private readonly verdicts = new Map<number, { recorded: boolean; chosen: boolean }>()

  constructor(configuration: Configuration, left: LeftOut, extensions?: Extensions) {
    this.configuration = configuration
    this.extensions = extensions
    this.assessor = makeAssessor(configuration, extensions)
    this.left = left
  }

  feed({ kind, body, sequence }: StoredRecord): void {
    const { channels } = this.configuration
    if (kind === 'sample') {
      const { values, mode } = decodeBody(kind, body, channels).body
      const seen = !isExcluded(this.left.excluded, this.chosen.length)
      this.chosen.push(seen ? this.assessor.assess(Float64Array.from(values), mode).level : undefined)
    } else if (kind === 'assessment') {
      const { level, probabilities } = decodeBody(kind, body, channels).body
      this.recorded.push({ level, probabilities })
      if (this.chosen[this.recorded.length - 1] === level) this.same++
    } else if (kind === 'feedback' || kind === 'correction') {
      this.answer(decodeBody(kind, body, channels).body)
    } else if (kind === 'stretch' && !this.left.withdrawn.has(sequence)) {
      this.stretch(decodeBody(kind, body, channels).body)
    } else if (kind === 'channel') {
      this.widen(decodeBody(kind, body, channels).body)
    } else if (kind === 'level') {
      this.configuration = withLevel(this.configuration, decodeBody(kind, body, channels).body)
      this.assessor = addLevel(this.assessor, this.extensions)
    }
  }

  /** The other model begins anew with a channel more, as the recorded one did. */
  private widen(channel: AddedChannel): void {
    this.configuration = withChannel(this.configuration, channel, this.extensions)
    this.assessor = makeAssessor(this.configuration, this.extensions)
    this.first = this.chosen.length
  }

  /** The samples of a stretch that nobody had answered before. */
  private stretch(stretch: StretchBody): void {
    for (let assessment = stretch.from; assessment <= stretch.to; assessment++) {
      const answer = this.heard.has(assessment) ? undefined : answerWithin(this.recorded[assessment], stretch)
      if (answer) this.answer({ assessment, ...answer })
    }
  }

  report(): Omit<WhatIfResult, 'system' | 'method' | 'options'> {
    const verdicts = [...this.verdicts.values()]
    const share = (right: (verdict: { recorded: boolean; chosen: boolean }) => boolean) =>
      verdicts.length === 0 ? null : verdicts.filter(right).length / verdicts.length
    return {
      samples: this.chosen.length - excludedBefore(this.left.excluded, this.chosen.length),
      excluded: excludedBefore(this.left.excluded, this.chosen.length),
      agreement: this.same,
      comparable: verdicts.length,
      undecided: this.undecided,
      recordedAccuracy: share(({ recorded }) => recorded),
      whatIfAccuracy: share(({ chosen }) => chosen),
    }
  }

  private answer({ assessment, kind, level }: Pick<Feedback, 'assessment' | 'kind' | 'level'>): void {
    this.heard.add(assessment)
    const recorded = this.recorded[assessment].level
    const chosen = this.chosen[assessment]
    // Excluded, or made by a model that is gone.
    if (chosen === undefined || assessment < this.first) return
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
    const [before, from] = [assessment, this.first].map((id) => id - excludedBefore(this.left.excluded, id))
    this.assessor.learn(before - from, feedback)
    this.verdicts.set(assessment, { recorded: recorded === truth, chosen: right })
  }
}
