/** What a report is made of, before it becomes HTML, CSV or LaTeX. */

/** One cell of a table. */
export interface TableCell {
  text: string
  /** The best of its group. */
  strong?: boolean
  /** Smaller text under it, such as a deviation. */
  note?: string
  /** −1 … 1: shaded from much worse to much better. */
  tone?: number
}

/** A table: written as HTML into the report, as CSV and LaTeX beside it. */
export interface ReportTable {
  kind: 'table'
  /** Name of its files. */
  name: string
  caption: string
  header: string[]
  rows: TableCell[][]
  /** What the notes under the cells are, for CSV. */
  notes?: string
  /** Rows from this one on are set apart. */
  divideAt?: number
}

/** A figure: one drawing or several panels; written as SVG and PNG beside the report. */
export interface ReportFigure {
  kind: 'figure'
  name: string
  caption: string
  /** What a person who cannot see it should know. */
  description: string
  panels: string[]
  /** Panels side by side where there is room. */
  columns: number
}

/** A part of a report. */
export interface ReportSection {
  heading: string
  paragraphs: string[]
  items: (ReportTable | ReportFigure)[]
}

/** A whole report. */
export interface Report {
  title: string
  /** What it is, in a sentence or two. */
  introduction: string
  /** The findings, for a reader who reads nothing else. */
  findings: string[]
  sections: ReportSection[]
  /** Where it comes from: code, seeds, sources. */
  colophon: string[]
}

/** A stream's name as part of a file name. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** An accuracy with three decimals. */
export const three = (value: number): string => (Number.isFinite(value) ? value.toFixed(3).replace('-', '−') : '–')

/** A difference with its sign and three decimals. */
export const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`

/** Words in a row: `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? 'none') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
