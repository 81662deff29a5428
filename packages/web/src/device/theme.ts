import { computed, effect, signal } from '@preact/signals'
import { keep, recall } from './stored.ts'

/** The choice of the person; `auto` follows the device. */
export type ThemeChoice = 'auto' | 'light' | 'dark'

const CHOICES: readonly ThemeChoice[] = ['auto', 'light', 'dark']
const stored = recall('theme') as ThemeChoice | null

/** The chosen theme. */
export const themeChoice = signal<ThemeChoice>(stored && CHOICES.includes(stored) ? stored : 'auto')

const dark = matchMedia('(prefers-color-scheme: dark)')
const deviceDark = signal(dark.matches)
dark.addEventListener('change', () => {
  deviceDark.value = dark.matches
})

/** The theme that is shown. */
export const theme = computed(() => {
  if (themeChoice.value !== 'auto') return themeChoice.value
  return deviceDark.value ? 'dark' : 'light'
})

/** Changes the theme: auto, light, dark, and auto again. */
export function nextTheme(): void {
  themeChoice.value = CHOICES[(CHOICES.indexOf(themeChoice.value) + 1) % CHOICES.length]
}

effect(() => {
  document.documentElement.dataset.theme = theme.value
  keep('theme', themeChoice.value === 'auto' ? null : themeChoice.value)
})
