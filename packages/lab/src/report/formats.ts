import type { ReportTable } from './report.ts'

/** A table as CSV; deviations and other notes stand in columns of their own. */
export function toCsv({ header, rows, notes = 'note' }: ReportTable): string {
  const withNote = header.map((_, i) => rows.some((row) => row[i]?.note !== undefined))
  const expand = (cells: readonly string[], notes: readonly string[]) =>
    cells.flatMap((cell, i) => (withNote[i] ? [cell, notes[i]] : [cell]))
  const lines = [
    expand(
      header,
      header.map((name) => `${name} ${notes}`),
    ),
    ...rows.map((row) =>
      expand(
        row.map(({ text }) => text),
        row.map(({ note }) => note?.replace(/^± /, '') ?? ''),
      ),
    ),
  ]
  return lines
    .map((line) => line.map(quoteCsv).join(','))
    .join('\n')
    .concat('\n')
}

/** A field of CSV, quoted where it must be; a typographic minus becomes a plain one, so that numbers can be read. */
export function quoteCsv(text: string): string {
  const plain = text.replace(/^−/, '-')
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

const LATEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '&': '\\&',
  '%': '\\%',
  $: '\\$',
  '#': '\\#',
  _: '\\_',
  '{': '\\{',
  '}': '\\}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '±': '$\\pm$',
  '−': '$-$',
  ρ: '$\\rho$',
  κ: '$\\kappa$',
  α: '$\\alpha$',
  γ: '$\\gamma$',
  '≤': '$\\le$',
  '≥': '$\\ge$',
  '–': '--',
  '×': '$\\times$',
  '…': '\\ldots{}',
}

function latexText(text: string): string {
  return text.replaceAll(/[\\&%$#_{}~^±−ργκα≤≥–×…]/g, (character) => LATEX[character])
}

/** LaTeX numbers tables and figures itself. */
const withoutNumber = (caption: string): string => caption.replace(/^(?:Table|Fig\.) [IVX\d]+[a-z]?\. /, '')

/** A table as LaTeX, for `booktabs`. */
export function toLatex({ name, caption, header, rows, divideAt }: ReportTable): string {
  const line = (cells: string[]) => `  ${cells.join(' & ')} \\\\`
  const body = rows.map((row, i) => {
    const cells = row.map(({ text, note, strong }) => {
      const shown = latexText(note === undefined ? text : `${text} ${note}`)
      return strong ? `\\textbf{${shown}}` : shown
    })
    return (i === divideAt ? '  \\midrule\n' : '') + line(cells)
  })
  return [
    '\\begin{table*}[t]',
    '  \\centering',
    `  \\caption{${latexText(withoutNumber(caption))}}`,
    `  \\label{tab:${name}}`,
    `  \\begin{tabular}{l${'r'.repeat(header.length - 1)}}`,
    '  \\toprule',
    line(header.map(latexText)),
    '  \\midrule',
    ...body,
    '  \\bottomrule',
    '  \\end{tabular}',
    '\\end{table*}',
    '',
  ].join('\n')
}
