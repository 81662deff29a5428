const grouped = new Intl.NumberFormat('en')

/** `12,345` */
export const count = (value: number): string => grouped.format(Math.round(value))

/** A share as `93.1 %`; a dash where there is none. */
export function percent(share: number | undefined, digits = 1): string {
  return share === undefined || Number.isNaN(share) ? '–' : `${(100 * share).toFixed(digits)} %`.replace('-', '−')
}

/** A reading with four digits that count. */
export function reading(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  const text =
    size !== 0 && (size >= 1e6 || size < 1e-3)
      ? value.toExponential(1)
      : String(Number(value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 3)))
  return text.replace('-', '−')
}
