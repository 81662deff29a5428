import { computed } from '@preact/signals'
import { screenScale } from '../screen.ts'
import { theme } from '../theme.ts'

/** Colours of the charts, from the style sheet, so that there is one place for both themes. */
export const palette = computed(() => {
  // Read so that a change of theme gives new colours.
  void theme.value
  const style = getComputedStyle(document.documentElement)
  const read = (name: string) => style.getPropertyValue(name).trim()
  return {
    text: read('--muted'),
    grid: read('--grid'),
    line: read('--line'),
    accent: read('--accent'),
    surface: read('--surface'),
    series: Array.from({ length: 10 }, (_, i) => read(`--series-${i}`)),
    levels: [read('--level-0'), read('--level-1'), read('--level-2')],
    ink: read('--ink'),
  }
})

/** Which of the three level colours a level has: the safest the first, the worst the last, all others the middle one. */
export function levelTone(level: number, levels: number): 0 | 1 | 2 {
  return level === 0 ? 0 : level === levels - 1 ? 2 : 1
}

/** Font of axes and marks; `ratio` is the number of canvas pixels per CSS pixel where the caller draws itself. */
export function chartFont(ratio = 1): string {
  return `${11 * screenScale.peek() * ratio}px "Segoe UI", Roboto, "DejaVu Sans Condensed", system-ui, sans-serif`
}
