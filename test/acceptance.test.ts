import { dive } from '@pb-oel/core'
import { runOnce } from '@pb-oel/lab'
import { describe, expect, it } from 'vitest'

/** Accuracy on the default dive, as `pb-oel run dive --method … --rho … --seed 1` prints it. */
async function accuracy(method: string, rho: number): Promise<number> {
  const { accuracy, bound } = await runOnce(dive(), { method, rho, seed: 1 })
  if (bound.value !== null) expect(accuracy).toBeGreaterThan(bound.value)
  return accuracy
}

describe('30,000 samples of the simulated dive', () => {
  it.each([
    [0, 0.94],
    [0.1, 0.97],
    [1, 0.985],
  ])('PB-OEL beats RVFL_HDDM-NP beats RVFL at ρ = %f, and reaches %f', async (rho, floor) => {
    const [full, ablated, plain] = [
      await accuracy('pb-oel', rho),
      await accuracy('rvfl-hddm-np', rho),
      await accuracy('rvfl', rho),
    ]
    expect(full).toBeGreaterThanOrEqual(floor)
    expect(full).toBeGreaterThan(ablated)
    expect(ablated).toBeGreaterThan(plain)
    if (rho === 0) expect(plain).toBeLessThanOrEqual(0.6)
    if (rho === 1) {
      expect(plain).toBeGreaterThanOrEqual(0.75)
      expect(plain).toBeLessThanOrEqual(0.93)
    }
  })
})
