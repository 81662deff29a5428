/** One page of the site before it becomes HTML. */
export interface Page {
  /** Path within the site, such as `how-to/operator.html`. */
  path: string
  /** File in the repository it comes from, against which its links are read; generated pages name one of their own. */
  source: string
  markdown: string
  title: string
  /** Heading in the navigation it stands under. */
  section: string
  /** How much of the page the search knows: every section, or only the beginning. */
  search: 'sections' | 'beginning'
}

/** The first heading of a page. */
export function titleOf(markdown: string, otherwise: string): string {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? otherwise
  return title.replaceAll(/[`*\\]/g, '')
}
