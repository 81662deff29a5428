import type { Alarm, SystemDetail, SystemState, SystemSummary, Tally } from '@pb-oel/protocol'
import { quietAlarm } from '../fold/alarm.ts'
import { mostProbable, type SystemFold } from '../fold/system-fold.ts'
import type { View } from './view.ts'

/** One row of the list of systems. */
export const summary =
  (now: number): View<SystemSummary> =>
  (state) => {
    const { configuration, recent, tally } = state
    const { latest } = recent
    return {
      id: state.id,
      title: configuration.title,
      levels: configuration.levels,
      ready: true,
      sequence: state.sequence,
      level: latest?.level ?? null,
      levelName: latest ? configuration.levels[latest.level] : null,
      likely: latest ? mostProbable(latest.probabilities) : null,
      confidence: latest?.confidence ?? null,
      probabilities: latest?.probabilities ?? [],
      alarm: alarm(state),
      degraded: [...state.degraded],
      lastSampleTime: latest?.time ?? null,
      lastSampleAge: ageAt(now, latest?.time ?? null),
      samples: tally.samples,
      openQuestions: recent.open,
      accuracy: tally.accuracy,
      recentAccuracy: tally.recentAccuracy,
    }
  }

/** The row of a system that takes no events: what was last known of it, and nothing that looks fresh. */
export function unreadySummary(known: SystemSummary, now: number, reason: string): SystemSummary {
  return { ...known, ...UNKNOWN, ready: false, reason, lastSampleAge: ageAt(now, known.lastSampleTime) }
}

/** The row of a system that is only in the log: its name, and why. */
export function missingSummary(id: string, reason: string): SystemSummary {
  const nothing = { lastSampleTime: null, lastSampleAge: null, accuracy: null, recentAccuracy: null }
  const { number, status, level, since } = quietAlarm()
  return {
    ...{ id, title: id, levels: [], ready: false, reason, sequence: 0, ...UNKNOWN },
    ...{ alarm: { number, status, level, since }, degraded: [], samples: 0, openQuestions: 0, ...nothing },
  }
}

const UNKNOWN = { level: null, levelName: null, likely: null, confidence: null, probabilities: [] }

/** Everything about one system. */
export const detail =
  (now: number): View<SystemDetail> =>
  (state) => {
    const weights = state.weights()
    const restarts = state.restarts()
    return {
      ...summary(now)(state),
      configuration: state.configuration,
      counts: counts(state),
      ...(weights && { weights }),
      ...(restarts !== undefined && { restarts }),
      lastValues: [...(state.lastValues ?? [])],
    }
  }

/** The whole state, its promise and its hash, as of its latest record. */
export const wholeState: View<SystemState> = (state) => ({
  system: detail(state.time)(state),
  guarantee: { ...state.guarantee() },
  stateHash: state.stateHash(),
})

function alarm({ alarm: { number, status, level, since, acknowledgedBy } }: SystemFold): Alarm {
  return { number, status, level, since, ...(acknowledgedBy !== undefined && { acknowledgedBy }) }
}

function counts({ tally }: SystemFold): Tally {
  const { samples, degraded, drifts, confirms, rejects, labels, corrections } = tally
  const { right, wrong, misses, falseAlarms } = tally
  return {
    ...{ samples, degraded, drifts, confirms, rejects, labels, corrections },
    ...{ right, wrong, misses, falseAlarms },
  }
}

function ageAt(now: number, time: number | null): number | null {
  return time === null ? null : Math.max(0, now - time) / 1000
}
