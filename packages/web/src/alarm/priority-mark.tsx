import type { Priority } from '@pb-oel/protocol'
import { alarmText } from '../strings/alarms.ts'

/** The more urgent, the more corners: a bar, a triangle, a square, an octagon. */
const SHAPES: Record<Priority, string> = {
  low: 'M2 6h12v4H2Z',
  medium: 'M8 1.5 15 14H1Z',
  high: 'M2 2h12v12H2Z',
  critical: 'M5 1h6l4 4v6l-4 4H5l-4-4V5Z',
}

/** How urgent an alarm is, as a shape and a word. */
export function PriorityMark({ priority }: { priority: Priority }) {
  return (
    <span class={`priority is-${priority}`}>
      <svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
        <path d={SHAPES[priority]} />
      </svg>
      {alarmText.priority[priority]}
    </span>
  )
}
