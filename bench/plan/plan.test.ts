import { expect, it } from 'vitest'
import { simulateCell } from './cell.ts'
import { CHECKED, COSTS } from './measured.ts'
import { type FleetPlan, limitsOfOne, planFleet } from './plan.ts'

it('simulates two cells that it was not fitted to within 20 % of what was measured', () => {
  for (const { name, cell, samplesPerSecond, latency, processor } of CHECKED) {
    const found = simulateCell(cell, COSTS)
    const pairs = {
      rate: [found.samplesPerSecond, samplesPerSecond],
      latency: [found.latency.median, latency],
      workers: [found.processor.workers, processor.workers],
      servers: [found.processor.servers, processor.servers],
    }
    for (const [figure, [simulated, measured]] of Object.entries(pairs)) {
      if (measured === undefined || simulated === undefined) continue
      const off = simulated / measured - 1
      expect([name, figure, Math.abs(off) < 0.2 ? 'near' : off]).toEqual([name, figure, 'near'])
    }
  }
})

it('says what decides the size of a fleet: what has less needs more, and the first limit is the one that binds', () => {
  const fleet: FleetPlan = {
    ...{ systems: 20_000, rate: 1, serverCores: 8, serverDisk: 4, workerMemory: 4, link: 0.25, bandwidth: 10 },
    ...{ shards: 512, leaseSeconds: 5, snapshotEvery: 2_000, keepDays: 1, reserve: 0.33, coreHour: 0.04 },
    terabyteMonth: 80,
  }
  const need = planFleet(fleet)
  expect([need.bound, need.clusters]).toEqual(['disk', 1])
  expect(planFleet({ ...fleet, keepDays: 4 }).clusters).toBe(4)
  const poor = planFleet({ ...fleet, serverDisk: 100, serverCores: 1 })
  expect(poor.bound).toBe('processor')
  const [first] = limitsOfOne({ ...fleet, serverDisk: 100, serverCores: 1 })
  expect([first.resource.split(' ')[0], poor.clusters]).toEqual(['processor', Math.ceil(fleet.systems / first.systems)])
  expect(planFleet({ ...fleet, workerMemory: 1 }).workers).toBe(Math.ceil((20_000 * 1.4e6) / (0.67 * 1e9)))
  // Fewer records to replay, and more heirs, make a takeover shorter.
  expect(planFleet({ ...fleet, snapshotEvery: 500 }).takeover.after).toBeLessThan(0.6 * need.takeover.after)
  expect(planFleet({ ...fleet, shards: 27 }).takeover.after).toBeGreaterThan(3 * need.takeover.after)
})
