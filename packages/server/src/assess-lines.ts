import type { Extensions } from '@pb-oel/core'
import { type AssessmentBody, type GivenSample, readAnswer, readSample, type SystemRequest } from '@pb-oel/protocol'
import { systemClock } from './clock/clock.ts'
import { InvalidRequest } from './errors.ts'
import { completeValues } from './fold/complete-sample.ts'
import { configure } from './fold/configure.ts'
import { SystemFold } from './fold/system-fold.ts'
import { answerLines } from './http/ndjson.ts'
import { levelIndex } from './service/level-index.ts'
import { assessedSample, assessmentOf } from './views/assessed-sample.ts'

/**
 * Assesses lines without a server: each line is a sample or, with `assessment`, an answer to an earlier assessment, as
 * in the HTTP API; each is answered by a line. Nothing is kept after the end.
 *
 * @param given the system; without `channels` they are those of the first sample
 * @param extensions methods, detectors and learners from outside that the system may use
 */
export function assessLines(
  input: AsyncIterable<Buffer>,
  given: Omit<SystemRequest, 'channels'> & { channels?: string[] },
  extensions?: Extensions,
): AsyncIterable<Buffer> {
  let fold: SystemFold | undefined
  return answerLines(input, async (line) => {
    if (line !== null && typeof line === 'object' && 'assessment' in line) return learn(fold, line)
    const sample = readSample(line)
    const { values } = sample
    fold ??= newFold({ ...given, channels: given.channels ?? channelsOf(values) }, extensions)
    return assess(fold, sample)
  })
}

function newFold(given: SystemRequest, extensions: Extensions | undefined): SystemFold {
  return new SystemFold('stdin', configure('stdin', given, extensions), 1, 0, extensions)
}

function learn(fold: SystemFold | undefined, line: object): object {
  const { correction = false, by = 'stdin', ...answer } = readAnswer(line)
  if (!fold) throw new InvalidRequest('an answer before the first sample')
  const level = levelIndex(answer.level, fold.configuration.levels)
  fold.apply({ kind: correction ? 'correction' : 'feedback', body: { ...answer, level, by } }, systemClock.wall())
  return { assessment: answer.assessment, learned: true }
}

function assess(fold: SystemFold, { values, mode }: GivenSample): object {
  const { configuration, lastValues } = fold
  const body = { ...completeValues(configuration, values, lastValues), ...(mode && { mode }), by: 'stdin' }
  const place = { sequence: fold.sequence + 1, time: systemClock.wall() }
  const [assessment] = fold.apply({ kind: 'sample', body }, place.time)
  return assessmentOf(assessedSample(configuration.levels, place, body, assessment.body as AssessmentBody))
}

function channelsOf(values: GivenSample['values']): string[] {
  return Array.isArray(values) ? values.map((_, i) => `channel-${i + 1}`) : Object.keys(values)
}
