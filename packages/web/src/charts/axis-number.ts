/**
 * A number for an axis, which has little room: as many decimals as tell it from its neighbours, one step away, so that
 * no two labels are alike.
 */
export function axisNumber(value: number, step: number): string {
  const size = Math.max(Math.abs(value), step)
  if (size >= 1e6 && step >= 1e5) return sign(`${trim(value / 1e6, step / 1e6)}M`)
  if (size >= 10_000 && step >= 100) return sign(`${trim(value / 1000, step / 1000)}k`)
  if (size > 0 && size < 1e-4) return sign(value.toExponential(1))
  return sign(trim(value, step))
}

function trim(value: number, step: number): string {
  const decimals = step > 0 ? Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9))) : 2
  const fixed = value.toFixed(decimals)
  // The step may be 2.5, which needs one decimal more.
  const exact = Math.abs(Number((step * 10 ** decimals).toFixed(6)) % 1) < 1e-6
  return exact ? fixed : value.toFixed(Math.min(12, decimals + 1))
}

const sign = (words: string) => (Number.parseFloat(words) === 0 ? words.replace('-', '') : words.replace('-', '−'))
