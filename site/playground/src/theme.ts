import { computed, effect, signal } from '@preact/signals'

type Choice = 'auto' | 'light' | 'dark'

/** The docs site keeps its choice under the same key, so that both look alike. */
const KEY = 'pb-oel:theme'

function stored(): Choice {
  try {
    const choice = localStorage.getItem(KEY)
    return choice === 'light' || choice === 'dark' ? choice : 'auto'
  } catch {
    return 'auto'
  }
}

/** What the visitor chose; `auto` follows the device. */
const themeChoice = signal<Choice>(stored())

const device = matchMedia('(prefers-color-scheme: dark)')
const deviceIsDark = signal(device.matches)
device.onchange = () => {
  deviceIsDark.value = device.matches
}

/** The theme in view. */
export const theme = computed(() => {
  if (themeChoice.value === 'auto') return deviceIsDark.value ? 'dark' : 'light'
  return themeChoice.value
})

/** Turns light into dark and dark into light. */
export function turnTheme(): void {
  themeChoice.value = theme.value === 'dark' ? 'light' : 'dark'
}

effect(() => {
  document.documentElement.dataset.theme = theme.value
  try {
    if (themeChoice.value === 'auto') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, themeChoice.value)
  } catch {
    // This browser keeps nothing; the choice lasts until the page is closed.
  }
})

/** Colours of the charts, read from the style sheet. */
export const colours = computed(() => {
  void theme.value
  const style = getComputedStyle(document.documentElement)
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return {
    ink: of('ink'),
    muted: of('muted'),
    grid: of('grid'),
    line: of('line'),
    edge: of('edge'),
    accent: of('accent'),
    warn: of('warn'),
    danger: of('danger'),
    sunken: of('sunken'),
    levels: [of('level-0'), of('level-1'), of('level-2')],
    series: Array.from({ length: 10 }, (_, i) => of(`series-${i}`)),
  }
})

/** Which of the three level colours a level has: the first for the safest, the last for the worst. */
export const levelColour = (level: number, levels: number): string =>
  colours.value.levels[level === 0 ? 0 : level === levels - 1 ? 2 : 1]
