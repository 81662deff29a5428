import { computed } from '@preact/signals'
import { screenScale } from '../device/screen.ts'
import { theme } from '../device/theme.ts'

/** Colours of the charts. They come from the style sheet, so that one place holds both themes. */
export const palette = computed(() => {
  // This read makes a change of theme give new colours.
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

/** Font of axes and marks. `ratio` counts the canvas pixels per CSS pixel, for callers that draw by themselves. */
export function chartFont(ratio = 1): string {
  return `${11 * screenScale.peek() * ratio}px "Segoe UI", Roboto, "DejaVu Sans Condensed", system-ui, sans-serif`
}
