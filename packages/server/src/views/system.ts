import type { Guarantee, SystemDetail, SystemState, SystemSummary, Tally } from '@pb-oel/protocol'
import { mostProbable } from '../fold/most-probable.ts'
import type { SystemFold } from '../fold/system-fold.ts'
import { alarmOf, listedAlarms } from './alarms.ts'
import { defineView } from './view.ts'

/** One row of the list of systems. */
export const summary = defineView('summary', (state, now: number): SystemSummary => {
  const { configuration, recent, tally, model, alarms } = state
  const { promises, trained } = model
  const { staleAfter } = alarms
  const age = sampleAge(state, now)
  const { latest } = recent
  // A level that is no finding is not shown.
  const found = trained ? latest : undefined
  const certificate = promises?.certify()
  const moment = { time: now, steady: state.steadyAt(now) }
  const accuracyAlarm = alarms.find('accuracy')
  return {
    id: state.id,
    title: configuration.title,
    levels: configuration.levels,
    ...(configuration.archived && { archived: true }),
    ready: true,
    sequence: state.sequence,
    trained,
    level: found?.level ?? null,
    levelName: found ? configuration.levels[found.level] : null,
    likely: found ? mostProbable(found.probabilities) : null,
    safeSide: found?.safeSide ?? null,
    confidence: found?.confidence ?? null,
    probabilities: found?.probabilities ?? [],
    ...(latest?.novelty && { novel: latest.novelty.novel }),
    alarm: alarmOf(alarms.state('level'), moment),
    ...(accuracyAlarm && { accuracyAlarm: alarmOf(accuracyAlarm, moment) }),
    ...(alarms.watchesSilence && { staleAlarm: alarmOf(alarms.state('stale'), moment) }),
    alarms: listedAlarms(state, moment),
    degraded: [...state.degraded],
    lastSampleTime: latest?.time ?? null,
    lastSampleAge: age,
    stale: isStale(age, staleAfter),
    staleAfter,
    now,
    samples: tally.samples,
    openQuestions: recent.open,
    ...(state.assignedTo !== undefined && { assignedTo: state.assignedTo }),
    accuracy: state.accuracy,
    recentAccuracy: tally.recentAccuracy,
    answersMissing: promises?.answersMissing ?? 0,
    estimated: state.model.estimated,
    certifiedAccuracy: certificate && certificate.samples > 0 ? certificate.certified : null,
  }
})

/** Seconds from the latest sample to a time of the records to come; `null` before any. */
export function sampleAge(state: SystemFold, now: number): number | null {
  return state.heard === null ? null : Math.max(0, state.steadyAt(now) - state.heard) / 1000
}

/** Whether data of an age are stale. */
export function isStale(age: number | null, after: number | null): boolean {
  return age !== null && after !== null && age >= after
}

/**
 * The row of a system that takes no events: what was last known of it, and nothing that looks fresh.
 *
 * @param since milliseconds since it was known
 */
export function unreadySummary(known: SystemSummary, since: number, reason: string): SystemSummary {
  const { lastSampleAge, staleAfter } = known
  const age = lastSampleAge === null ? null : lastSampleAge + since / 1000
  const now = Math.floor(known.now + since)
  return {
    ...{ ...known, ...UNKNOWN, ready: false, reason, now },
    ...{ lastSampleAge: age, stale: isStale(age, staleAfter) },
  }
}

/** The row of a system that is only in the log: its name, and why. */
export function missingSummary(id: string, reason: string, now: number): SystemSummary {
  const nothing = {
    stale: false,
    staleAfter: null,
    now,
    lastSampleTime: null,
    lastSampleAge: null,
    accuracy: null,
    recentAccuracy: null,
  }
  const unproven = { trained: false, answersMissing: 0, estimated: false, certifiedAccuracy: null }
  return {
    ...{ id, title: id, levels: [], ready: false, reason, sequence: 0, ...unproven, ...UNKNOWN },
    ...{
      alarm: { number: 0, status: 'normal', level: 0, since: 0 },
      alarms: [],
      degraded: [],
      samples: 0,
      openQuestions: 0,
      ...nothing,
    },
  }
}

const UNKNOWN = {
  novel: undefined,
  level: null,
  levelName: null,
  likely: null,
  safeSide: null,
  confidence: null,
  probabilities: [],
}

/** Everything about one system. */
export const detail = defineView('detail', (state, now: number): SystemDetail => {
  const weights = state.model.weights()
  const restarts = state.model.restarts()
  return {
    ...summary(now).look(state),
    configuration: state.configuration,
    counts: counts(state),
    ...(weights && { weights }),
    ...(restarts !== undefined && { restarts }),
    lastValues: [...(state.lastValues ?? [])],
    ...(state.model.novelty && {
      novelty: { samples: state.model.novelty.novel, answersMissing: state.model.novelty.missing },
    }),
    ...(state.model.forgotten > 0 && { excluded: state.model.forgotten }),
  }
})

/** The whole state, its promise and its hash, as of its latest record. */
export const wholeState = defineView(
  'whole state',
  (state): SystemState => ({
    system: detail(state.time).look(state),
    guarantee: guarantee().look(state),
    stateHash: state.stateHash(),
  }),
)

/** The hash of the whole state. */
export const hashOfState = defineView('state hash', (state) => state.stateHash())

/** The guarantee of the method, and what is promised whatever the method. */
export const guarantee = defineView('guarantee', (state): Guarantee => {
  const promises = state.promisesReport()
  const { secondsPerSample } = state.recent
  return {
    ...state.model.guarantee(),
    ...(promises && { promises }),
    ...(secondsPerSample !== undefined && { secondsPerSample }),
  }
})

function counts({ tally }: SystemFold): Tally {
  const { samples, degraded, drifts, confirms, rejects, labels, corrections } = tally
  const { right, wrong, misses, falseAlarms, abstentions, secondOpinions } = tally
  return {
    ...{ samples, degraded, drifts, confirms, rejects, labels, corrections },
    ...{ right, wrong, misses, falseAlarms },
    ...(abstentions && { abstentions }),
    ...(secondOpinions && { secondOpinions }),
  }
}
