import type { Mark } from '../feed/mark-ring.ts'
import { text } from '../strings/en.ts'

/** The marks of the timeline with their styles and shapes. */
const SHAPES: readonly (readonly [Mark, string, string])[] = [
  ['alarm', 'tone-2', 'M6 1 11 11H1Z'],
  ['fall', 'tone-2', 'M6 11 11 1H1Z'],
  ['acknowledged', 'accent', 'M3 3h6v6H3Z'],
  ['cleared', 'outline', 'M6 2.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7Z'],
  ['drift', 'ink', 'M6 1.5 10.5 6 6 10.5 1.5 6Z'],
  ['restart', 'accent', 'M5 1h2v10H5Z'],
  ['right', 'tone-0', 'M5.2 1h1.6v5H5.2Z'],
  ['wrong', 'tone-2', 'M5.2 6h1.6v5H5.2Z'],
  ['named', 'accent', 'M5.2 1h1.6v10H5.2Z'],
]

/** The marks of the timeline and their meanings. */
export function TimelineLegend() {
  return (
    <ul class="legend marks">
      {SHAPES.map(([mark, style, path]) => (
        <li key={mark}>
          <svg width="12" height="12" viewBox="0 0 12 12" class={`mark ${style}`} aria-hidden="true">
            <path d={path} />
          </svg>
          {text.timeline.marks[mark]}
        </li>
      ))}
    </ul>
  )
}
