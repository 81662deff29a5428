import { expect, it } from 'vitest'
import { nearestName } from './nearest-name.ts'

it.each([
  ['warmup', 'warmUp'],
  ['netwroks', 'networks'],
  ['alfa', undefined],
  ['alpa', 'alpha'],
  ['colour', undefined],
])('%s probably means %s', (name, meant) => {
  expect(nearestName(name, ['warmUp', 'networks', 'alpha', 'c', 'rho'])).toBe(meant)
})
