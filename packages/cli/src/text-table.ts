/** A plain-text table: first column left-aligned, the others right-aligned, a rule under the header. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column].length)))
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ')
  const rule = widths.map((width) => '─'.repeat(width)).join('──')
  return [line(header), rule, ...rows.map(line)].join('\n')
}

/** A figure with four decimals, a dash where there is none. */
export const decimals = (value: number | null): string => (value === null ? '–' : value.toFixed(4))

/** A count with thousands separators. */
export const count = (value: number): string => Math.round(value).toLocaleString('en-US')
