import { effect, signal } from '@preact/signals'
import { keep, recall } from '../device/stored.ts'

/** What a key does. */
export type Command =
  | { kind: 'right' | 'wrong' | 'cannot-tell' | 'skip' | 'undo' | 'help' }
  | { kind: 'level'; level: number }

/** Whether single keys work. People who dictate, or whose hands shake, can turn them off (WCAG 2.1.4). */
export const singleKeys = signal(recall('keys') !== 'off')
effect(() => keep('keys', singleKeys.value ? null : 'off'))

/**
 * The command of a key.
 *
 * @param levels the keys of the levels
 */
export function commandOf(key: string, levels: readonly string[]): Command | undefined {
  const pressed = key.length === 1 ? key.toLowerCase() : key
  switch (pressed) {
    case 'y':
      return { kind: 'right' }
    case 'n':
      return { kind: 'wrong' }
    case 'c':
      return { kind: 'cannot-tell' }
    case 's':
      return { kind: 'skip' }
    case 'u':
      return { kind: 'undo' }
    case '?':
      return { kind: 'help' }
  }
  const level = levels.indexOf(pressed)
  return level >= 0 && pressed !== '' ? { kind: 'level', level } : undefined
}

/** Whether the focused element takes a key: text fields take all keys, buttons and links take Enter. */
export function isTaken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return true
  const target = event.target as HTMLElement
  if (target.closest('input, textarea, select, [contenteditable], dialog')) return true
  return event.key === 'Enter' && target.closest('button, a, summary') !== null
}
