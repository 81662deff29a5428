import type { AlarmStatus } from '@pb-oel/protocol'
import type { View } from './view.ts'

/** What operators watch of a system; `null` where there is nothing to tell. */
export interface Figures {
  level: number | null
  confidence: number | null
  alarm: AlarmStatus
  openQuestions: number
  heldChannels: number
  recentAccuracy: number | null
  drifts: number
  lastSampleTime: number | null
  guaranteed: number | null
}

/** The figures of a system now. */
export const figures: View<Figures> = (state) => {
  const { latest, open } = state.recent
  const { applies, value } = state.guarantee()
  return {
    level: latest?.level ?? null,
    confidence: latest?.confidence ?? null,
    alarm: state.alarm.status,
    openQuestions: open,
    heldChannels: state.degraded.length,
    recentAccuracy: state.tally.recentAccuracy,
    drifts: state.tally.drifts,
    lastSampleTime: latest?.time ?? null,
    guaranteed: applies ? (value ?? null) : null,
  }
}
