import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { OptionError } from '../errors.ts'
import type { DriftSignal } from './detector.ts'
import { DETECTORS, findDetector } from './detectors.ts'

/** Signals of River 0.26.1: where they change, and to what; bench/peers/river_detectors.py recorded them. */
const { streams, signals } = JSON.parse(readFileSync(new URL('./golden/river.json', import.meta.url), 'utf8')) as {
  streams: string[]
  signals: Record<string, string[]>
}

/** River's name → ours, with the options that make them the same. */
const OURS: Record<string, [name: string, options: object]> = {
  HDDM_A: ['hddm-a', {}],
  'HDDM_A two-sided': ['hddm-a', { sides: 'both' }],
  HDDM_W: ['hddm-w', { compat: 'river' }],
  'HDDM_W two-sided': ['hddm-w', { sides: 'both', compat: 'river' }],
  DDM: ['ddm', {}],
  EDDM: ['eddm', { compat: 'river' }],
  'PageHinkley up': ['page-hinkley', { threshold: 10 }],
  'PageHinkley both': ['page-hinkley', { threshold: 10, sides: 'both' }],
  'KSWIN 60/30': ['kswin', { window: 60, compat: 'river' }],
  ADWIN: ['adwin', { compat: 'river' }],
  'ADWIN every value': ['adwin', { compat: 'river', delta: 0.05, clock: 1 }],
}

/** Where signals change, and to what, as recorded: 0n153w160d161n. */
function changes(told: DriftSignal[]): string {
  return told.map((signal, i) => (i === 0 || signal !== told[i - 1] ? `${i}${signal[0]}` : '')).join('')
}

describe('signals of River', () => {
  it.each(Object.keys(signals))('%s says the same at every value of six streams', (name) => {
    const [ours, options] = OURS[name]
    streams.forEach((stream, i) => {
      const detector = findDetector(ours).create(options)
      expect(changes(Array.from(stream, (value) => detector.update(Number(value))))).toBe(signals[name][i])
    })
    expect(signals[name].join('')).toContain('d')
  })

  it('the two that read an error rate off 0 and 1 say that they take nothing else', () => {
    expect(DETECTORS.filter(({ binary }) => binary).map(({ name }) => name)).toEqual(['ddm', 'eddm'])
  })

  it('a detector nobody knows is refused with the names of those there are', () => {
    expect(() => findDetector('adwim')).toThrow(OptionError)
    expect(() => findDetector('adwim')).toThrow('one of hddm-a, hddm-w, adwin, ddm, eddm, page-hinkley, kswin')
    const mine = findDetector('ddm')
    expect(findDetector('./mine.ts', { './mine.ts': mine })).toBe(mine)
  })
})
