import type { ValueAxis } from './value-axis.ts'

/** Steps between ticks, times a power of ten. */
const STEPS = [1, 2, 5, 10]

/** An even axis for values between `low` and `high`, with about five ticks. */
export function linearAxis(low: number, high: number): ValueAxis {
  const spread = high - low || 1
  const power = 10 ** Math.floor(Math.log10(spread / 5))
  const step = power * (STEPS.find((step) => spread / (step * power) <= 5) as number)
  const first = Math.floor(low / step + 1e-9)
  const last = Math.ceil(high / step - 1e-9)
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  return {
    domain: [first * step, Math.max(last, first + 1) * step],
    ticks: Array.from({ length: Math.max(last, first + 1) - first + 1 }, (_, i) => (first + i) * step),
    format: (value) => value.toFixed(digits).replace('-', '−'),
    place: (value) => value,
  }
}
