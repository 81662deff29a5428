/** A table of Markdown: its titles and its lines, which are written already. */
export function markdownTable(titles: readonly string[], lines: readonly string[]): string {
  return [`| ${titles.join(' | ')} |`, `|${'---|'.repeat(titles.length)}`, ...lines].join('\n')
}

/** One line of a table. */
export const markdownRow = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
