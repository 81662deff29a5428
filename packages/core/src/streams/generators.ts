import { CHECKERBOARD } from './checkerboard.ts'
import { DIVE } from './dive.ts'
import { HYPERPLANE } from './hyperplane.ts'
import { LED } from './led.ts'
import { PLANT } from './plant.ts'
import { SEA } from './sea.ts'
import type { StreamEntry } from './stream.ts'
import { WAVEFORM } from './waveform.ts'

/** Every generated stream. */
export const GENERATORS: readonly StreamEntry[] = [DIVE, SEA, HYPERPLANE, CHECKERBOARD, LED, WAVEFORM, PLANT]
