/**
 * Our half of river_detectors.py: reads streams as JSON from standard input, writes the signals of our detectors as
 * JSON to standard output: { detector: [signals of stream 0, of stream 1, …] }, n = none, w = warning, d = drift.
 */
import { readFileSync } from 'node:fs'
import { Adwin } from '../../packages/core/src/drift/adwin.ts'
import { Ddm } from '../../packages/core/src/drift/ddm.ts'
import type { DriftDetector } from '../../packages/core/src/drift/detector.ts'
import { Eddm } from '../../packages/core/src/drift/eddm.ts'
import { HddmA } from '../../packages/core/src/drift/hddm-a.ts'
import { HddmW } from '../../packages/core/src/drift/hddm-w.ts'
import { Kswin } from '../../packages/core/src/drift/kswin.ts'
import { PageHinkley } from '../../packages/core/src/drift/page-hinkley.ts'

const DETECTORS: Record<string, () => DriftDetector> = {
  HDDM_A: () => new HddmA(),
  'HDDM_A two-sided': () => new HddmA({ sides: 'both' }),
  HDDM_W: () => new HddmW({ compat: 'river' }),
  'HDDM_W two-sided': () => new HddmW({ sides: 'both', compat: 'river' }),
  'HDDM_W (canonical q)': () => new HddmW(),
  DDM: () => new Ddm(),
  EDDM: () => new Eddm({ compat: 'river' }),
  'EDDM (canonical warning)': () => new Eddm(),
  'PageHinkley up': () => new PageHinkley({ threshold: 10 }),
  'PageHinkley both': () => new PageHinkley({ threshold: 10, sides: 'both' }),
  'KSWIN 60/30': () => new Kswin({ window: 60, compat: 'river' }),
  ADWIN: () => new Adwin({ compat: 'river' }),
  'ADWIN every value': () => new Adwin({ compat: 'river', delta: 0.05, clock: 1 }),
  'KSWIN 60/30 (canonical window)': () => new Kswin({ window: 60 }),
}

const streams: number[][] = JSON.parse(readFileSync(0, 'utf8'))
const signals: Record<string, string[]> = {}
for (const [name, make] of Object.entries(DETECTORS)) {
  signals[name] = streams.map((stream) => {
    const detector = make()
    return stream.map((value) => detector.update(value)[0]).join('')
  })
}
process.stdout.write(JSON.stringify(signals))
