import { TooLate } from '../errors.ts'
import type { SystemFold } from '../fold/system-fold.ts'

/** Refuses an answer that comes later than the system takes any. */
export function checkInTime(assessment: number, { recent, configuration }: SystemFold, time: number): void {
  const { latest, capacity } = recent
  if (!latest || assessment > latest.assessment) return
  const { samples = capacity, seconds = Number.POSITIVE_INFINITY } = configuration.late ?? {}
  const later = latest.assessment - assessment
  if (later >= samples) {
    const limit = `answers to the latest ${samples} (late.samples)`
    throw new TooLate(`assessment ${assessment} was followed by ${later} others, and this system takes ${limit}`)
  }
  const about = recent.get(assessment)
  if (!about || time - about.time <= seconds * 1000) return
  const age = Math.floor((time - about.time) / 1000)
  const limit = `answers within ${seconds} s (late.seconds)`
  throw new TooLate(`assessment ${assessment} was made ${age} s ago, and this system takes ${limit}`)
}
