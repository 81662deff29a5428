import type { AlarmStatus, PromisesReport } from '@pb-oel/protocol'
import { sampleAge } from './system.ts'
import { defineView } from './view.ts'

/** What operators watch of a system; `null` where there is nothing to tell. */
export interface Figures {
  level: number | null
  confidence: number | null
  alarm: AlarmStatus
  openQuestions: number
  heldChannels: number
  recentAccuracy: number | null
  trained: boolean
  safeSide: number | null
  accuracyAlarm: AlarmStatus | null
  /** Upper bound of how much better any expert was, per round. */
  regretBound: number | null
  promises: PromisesReport | null
  drifts: number
  novelSamples: number | null
  staleAlarm: AlarmStatus | null
  lastSampleAge: number | null
  staleAfter: number | null
  guaranteed: number | null
}

/** The figures of a system now. */
export const figures = defineView('figures', (state, now: number): Figures => {
  const { latest, open } = state.recent
  const { applies, value, regretWithConfidence } = state.model.guarantee()
  const found = state.model.trained ? latest : undefined
  return {
    level: found?.level ?? null,
    confidence: found?.confidence ?? null,
    safeSide: found?.safeSide ?? null,
    trained: state.model.trained,
    accuracyAlarm: state.alarms.find('accuracy')?.status ?? null,
    regretBound: regretWithConfidence?.value ?? null,
    promises: state.promisesReport() ?? null,
    alarm: state.alarms.state('level').status,
    openQuestions: open,
    heldChannels: state.degraded.length,
    recentAccuracy: state.tally.recentAccuracy,
    drifts: state.tally.drifts,
    novelSamples: state.model.novelty?.novel ?? null,
    staleAlarm: state.alarms.watchesSilence ? state.alarms.state('stale').status : null,
    lastSampleAge: sampleAge(state, now),
    staleAfter: state.alarms.staleAfter,
    guaranteed: applies ? (value ?? null) : null,
  }
})
