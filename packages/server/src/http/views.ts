import type { AssessmentBody, SampleBody } from '../fold/events.ts'
import type { Question, RankedQuestion } from '../fold/questions.ts'
import { mostProbable, type SystemFold } from '../fold/system-fold.ts'
import type { LiveSystem } from '../service/live-system.ts'
import type { SampleAnswer } from '../service/service.ts'

/** What the API shows of the state: the same words for a live system and for one replayed to a moment of the past. */

/** One row of the list of systems. */
export function summary(fold: SystemFold, now: number, ready = true) {
  const { configuration, questions, tally, alarm } = fold
  const latest = questions.latest
  return {
    id: fold.id,
    title: configuration.title,
    levels: configuration.levels,
    ready,
    sequence: fold.sequence,
    level: latest?.level ?? null,
    levelName: latest ? configuration.levels[latest.level] : null,
    likely: latest ? mostProbable(latest.probabilities) : null,
    confidence: latest?.confidence ?? null,
    probabilities: latest?.probabilities ?? [],
    alarm,
    degraded: channelNames(fold, fold.held),
    lastSampleTime: latest?.time ?? null,
    lastSampleAge: latest ? Math.max(0, now - latest.time) / 1000 : null,
    samples: tally.samples,
    openQuestions: questions.open,
    accuracy: tally.accuracy,
    recentAccuracy: tally.recentAccuracy,
  }
}

/** Everything about one system. */
export function detail(fold: SystemFold, now: number, ready = true) {
  return {
    ...summary(fold, now, ready),
    configuration: fold.configuration,
    counts: fold.tally,
    ...measures(fold),
    lastValues: fold.lastValues ?? [],
  }
}

/** Weights of the experts and how often they restarted, where the method has them. */
function measures(fold: SystemFold) {
  const weights = fold.weights()
  const restarts = fold.restarts()
  return { ...(weights && { weights }), ...(restarts !== undefined && { restarts }) }
}

/** An assessment with names beside numbers. */
export function assessmentView(fold: SystemFold, { id, held, ...rest }: SampleAnswer) {
  return {
    assessment: id,
    levelName: fold.configuration.levels[rest.level],
    likely: mostProbable(rest.probabilities),
    ...rest,
    ...(held && { degraded: channelNames(fold, held) }),
  }
}

/** A sample from the log with its assessment and, while it is kept, its answer. */
export function historyView(
  fold: SystemFold,
  sequence: number,
  time: number,
  sample: SampleBody,
  assessment: AssessmentBody,
) {
  const { values, at, by, held } = sample
  const { answer } = fold.questions.get(assessment.id) ?? {}
  return {
    ...assessmentView(fold, { ...assessment, sequence, time, ...(held && { held }) }),
    values,
    by,
    ...(at !== undefined && { at }),
    ...(answer && { answer }),
  }
}

/** An open question: why it is worth an answer, who is at it, what the sensors showed. */
export function questionView(system: LiveSystem, ranked: RankedQuestion, sample: SampleBody, now: number) {
  const { question, worth, reasons } = ranked
  const { fold } = system
  const claim = system.leases.get(question.id, now)
  return {
    ...historyView(fold, question.sequence, question.time, sample, body(question)),
    worth,
    reasons,
    votes: fold.configuration.levels.map((_, level) => question.experts.filter((vote) => vote === level).length),
    age: Math.max(0, now - question.time) / 1000,
    ...(claim && { claim }),
  }
}

function body({ id, level, probabilities, confidence, experts, drifts, asked }: Question): AssessmentBody {
  return { id, level, probabilities, confidence, experts, ...(drifts && { drifts }), ...(asked && { asked }) }
}

function channelNames(fold: SystemFold, held: readonly number[]): string[] {
  return held.map((channel) => fold.configuration.channels[channel])
}
