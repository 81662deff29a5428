import type { Assessment } from '@pb-oel/core'
import type { AssessmentBody } from '@pb-oel/protocol'

/** An assessment as the log has it, in the form in which a model gives it. */
export function shownAssessment(body: AssessmentBody): Assessment {
  const { assessment: id, level, probabilities, confidence, rawConfidence = confidence, experts, drifts = [] } = body
  const flags = new Uint8Array(experts.length)
  for (const expert of drifts) flags[expert] = 1
  return {
    ...{ id, level, confidence: rawConfidence, drifts: flags },
    probabilities: Float64Array.from(probabilities),
    experts: Int32Array.from(experts),
  }
}
