import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Arf } from './arf.ts'
import { Srp } from './srp/srp.ts'
import { accuracy, flipStream, runWithLabels } from './testing/flip.ts'

/** Mean accuracies of River 0.26.1 over ten seeds, window by window; bench/peers/river_rivals.py recorded them. */
const { windows, methods } = JSON.parse(readFileSync(new URL('./golden/river.json', import.meta.url), 'utf8')) as {
  windows: Record<string, [number, number]>
  methods: Record<string, Record<string, number>>
}
const SEEDS = 4
const TASK = { channels: 2, levels: 2, epsilon: 0, compat: 'river', gracePeriod: 50, splitConfidence: 0.01 } as const

/** Our mean accuracy in each window, on the same samples. */
function measure(make: (seed: number) => Arf | Srp): Record<string, number> {
  const means: Record<string, number> = {}
  for (let seed = 0; seed < SEEDS; seed++) {
    const run = runWithLabels(make(seed), flipStream(4000, 2000))
    for (const [name, [from, to]] of Object.entries(windows)) {
      means[name] = (means[name] ?? 0) + accuracy(run, from, to) / SEEDS
    }
  }
  return means
}

describe.each([
  ['arf', Arf],
  ['srp', Srp],
] as const)('%s beside River, where the levels are turned round', (name, Rival) => {
  it.each([
    ['', true],
    [', no drift detection', false],
  ])(
    'has the same accuracy before, at and after the change within 0.04, and not that of the other setting%s',
    (suffix, on) => {
      const ours = measure((seed) => new Rival({ ...TASK, seed, driftDetection: on }))
      for (const window of Object.keys(windows)) {
        const difference = Math.abs(ours[window] - methods[name + suffix][window])
        expect(difference, window).toBeLessThan(0.04)
      }
      // Where trees are not replaced, or are, what River does otherwise is far away.
      const { change } = methods[on ? `${name}, no drift detection` : name]
      expect(Math.abs(ours.change - change)).toBeGreaterThan(0.3)
    },
  )
})
