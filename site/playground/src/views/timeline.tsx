import { LevelStrip } from '../charts/level-strip.tsx'
import type { Contestant } from '../engine/contestant.ts'
import { methodEntry } from '../settings/catalogue.ts'

/** The true level over the samples, and where each method was wrong. */
export function Timeline({ contestants }: { contestants: readonly Contestant[] }) {
  const stream = contestants[0].stream.value
  for (const { version } of contestants) void version.value
  if (!stream) return null
  return (
    <section class="card" aria-labelledby="timeline-title">
      <h2 id="timeline-title">Levels and errors</h2>
      <LevelStrip
        lanes={contestants.map(({ method, points }) => ({ name: methodEntry(method.name).title, points }))}
        levels={stream.levels}
        total={stream.samples}
      />
      <ul class="legend">
        <li>
          <span class="key miss" aria-hidden="true" /> misses
        </li>
        <li>
          <span class="key false-alarm" aria-hidden="true" /> false alarms
        </li>
        <li>
          <svg width="10" height="8" aria-hidden="true">
            <path class="drift-mark" d="M5 1 9 7H1Z" />
          </svg>
          drift, an expert was rebuilt
        </li>
      </ul>
    </section>
  )
}
