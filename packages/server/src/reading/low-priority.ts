import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** How far a thread stands back; 19 is the most that Linux has. */
const NICENESS = 15

/**
 * Lets every other thread go first where the cores are busy. Linux has a priority for each thread; elsewhere this does
 * nothing, and the system shares the cores evenly.
 */
export function standBack(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICENESS)
  } catch {
    // No Linux, or no /proc.
  }
}
