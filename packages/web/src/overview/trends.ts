import type { Chart } from '@pb-oel/protocol'
import { signal } from '@preact/signals'
import { get, systemPath } from '../api/client.ts'
import { systems } from '../feed/systems.ts'
import type { TrendPoint } from './trend-words.ts'

/** Milliseconds of the past that a trend shows. */
export const TREND_SPAN = 600_000
const POINTS = 80

/** The course of the levels, by system. */
export const trends = signal<Record<string, TrendPoint[]>>({})
/** Systems whose cards are in sight: nobody sees the trends of others. */
const inSight = new Set<string>()

/** Says whether the card of a system is in sight. */
export function seeCard(system: string, seen: boolean): void {
  if (!seen) inSight.delete(system)
  else if (!inSight.has(system)) {
    inSight.add(system)
    if (!(system in trends.peek())) void loadTrend(system).catch(() => {})
  }
}

/** Reads the trends of all cards in sight, one after the other. */
export async function loadTrends(): Promise<void> {
  for (const system of [...inSight]) await loadTrend(system)
}

async function loadTrend(system: string): Promise<void> {
  const time = systems.peek()?.find(({ id }) => id === system)?.lastSampleTime
  if (time === null || time === undefined) return
  const range = { from: Math.max(0, time - TREND_SPAN), points: POINTS, only: 'levels' }
  const { times, levels } = await get<Chart>(systemPath(system, '/chart'), range)
  const points = times.flatMap((at, i) => (levels[i] === null ? [] : [{ time: at, likely: levels[i] }]))
  trends.value = { ...trends.peek(), [system]: points }
}
