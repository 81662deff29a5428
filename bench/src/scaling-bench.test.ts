import { expect, it } from 'vitest'
import { scalingBench } from './scaling-bench.ts'

it('measures every sweep and fits an exponent to each', async () => {
  const results = await scalingBench.run({ seconds: 0 })
  const letters = ['d', 'L', 'N', 'K', 'T']
  for (const letter of letters) {
    const points = results.filter(({ variant }) => variant.startsWith(`${letter}=`))
    expect(points.length).toBeGreaterThanOrEqual(3)
    for (const { low, median, high } of points) expect(0 < low && low <= median && median <= high).toBe(true)
  }
  const exponents = results.filter(({ unit }) => unit === 'exponent')
  expect(exponents.map(({ variant }) => variant)).toEqual(letters.map((letter) => `growth over ${letter}`))
  for (const { median } of exponents) expect(Number.isFinite(median)).toBe(true)
})
