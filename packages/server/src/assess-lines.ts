import { Ajv } from 'ajv'
import { InvalidRequest } from './errors.ts'
import { configure, type NewSystem } from './fold/configuration.ts'
import type { FeedbackBody, SampleBody } from './fold/events.ts'
import { completeValues, type GivenValues } from './fold/sample-values.ts'
import { SystemFold } from './fold/system-fold.ts'
import { answerLines } from './http/ndjson.ts'
import { FeedbackSchema, SampleSchema } from './http/schemas.ts'
import { assessmentView } from './http/views.ts'

const ajv = new Ajv({ strictTypes: false })
const isSample = ajv.compile<Omit<SampleBody, 'values' | 'by'> & { values: GivenValues }>(SampleSchema)
const isFeedback = ajv.compile<FeedbackBody & { correction?: boolean }>(FeedbackSchema)

/**
 * Assesses lines without a server: each line is a sample or, with `answer`, feedback to an earlier assessment, as in
 * the HTTP API; each is answered by a line. Nothing is kept after the end.
 *
 * @param given the system; without `channels` they are those of the first sample
 */
export function assessLines(
  input: AsyncIterable<Buffer>,
  given: Omit<NewSystem, 'channels'> & { channels?: string[] },
): AsyncIterable<Buffer> {
  let fold: SystemFold | undefined
  return answerLines(input, async (line) => {
    if (line !== null && typeof line === 'object' && 'answer' in line) {
      if (!isFeedback(line))
        throw new InvalidRequest(`line${isFeedback.errors?.[0].instancePath} ${isFeedback.errors?.[0].message}`)
      if (!fold) throw new InvalidRequest('an answer before the first sample')
      const { correction = false, ...body } = line
      fold.apply(
        { kind: correction ? 'correction' : 'feedback', body: { ...body, by: body.by ?? 'stdin' } },
        Date.now(),
      )
      return { assessment: body.assessment, learned: true }
    }
    if (!isSample(line))
      throw new InvalidRequest(`line${isSample.errors?.[0].instancePath} ${isSample.errors?.[0].message}`)
    fold ??= new SystemFold(
      'stdin',
      configure('stdin', { ...given, channels: given.channels ?? channelsOf(line.values) }),
    )
    const { values, mode } = line
    const body = { ...completeValues(fold.configuration, values, fold.lastValues), mode, by: 'stdin' }
    const sequence = fold.sequence + 1
    const time = Date.now()
    const [assessment] = fold.apply({ kind: 'sample', body }, time)
    if (assessment.kind !== 'assessment') throw new Error('a sample gave no assessment')
    return assessmentView(fold, { ...assessment.body, sequence, time, ...(body.held && { held: body.held }) })
  })
}

function channelsOf(values: GivenValues): string[] {
  return Array.isArray(values) ? values.map((_, i) => `channel-${i + 1}`) : Object.keys(values)
}
