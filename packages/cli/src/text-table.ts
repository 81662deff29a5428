/**
 * A plain-text table with a rule under the header. The first column is left-aligned.
 *
 * @param others how the other columns are aligned: figures to the right, words to the left
 */
export function textTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  others: 'left' | 'right' = 'right',
): string {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column].length)))
  const pad = (cell: string, i: number) =>
    i === 0 || others === 'left' ? cell.padEnd(widths[i]) : cell.padStart(widths[i])
  const line = (row: readonly string[]) => row.map(pad).join('  ').trimEnd()
  const rule = widths.map((width) => '─'.repeat(width)).join('──')
  return [line(header), rule, ...rows.map(line)].join('\n')
}

/** A figure with four decimals, a dash where there is none. */
export const decimals = (value: number | null): string => (value === null ? '–' : value.toFixed(4))

/** A number of things: `1 run`, `2 runs`, `1,000 runs`. */
export const counted = (value: number, thing: string): string => `${count(value)} ${thing}${value === 1 ? '' : 's'}`

/** A count with thousands separators. */
export const count = (value: number): string => Math.round(value).toLocaleString('en-US')
