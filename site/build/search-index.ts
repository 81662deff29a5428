import MiniSearch from 'minisearch'
import { SEARCH_OPTIONS, type SearchEntry } from '../theme/search-options.ts'
import { anchorOf } from './markdown.ts'
import type { Page } from './page.ts'

/**
 * The index of the search as a script, since a page opened from disk may not fetch a document. It is loaded when a
 * reader enters the search field.
 */
export function searchIndex(pages: readonly Page[]): string {
  const search = new MiniSearch<SearchEntry>(SEARCH_OPTIONS)
  search.addAll(pages.flatMap(entriesOf).map((entry, id) => ({ ...entry, id })))
  return `window.pbOelSearch(${JSON.stringify(JSON.stringify(search))})\n`
}

function entriesOf(page: Page): Omit<SearchEntry, 'id'>[] {
  const { path, title, search, markdown } = page
  if (search === 'beginning') return [{ path, title, heading: '', text: plain(markdown).slice(0, 400) }]
  const parts = markdown.replaceAll(/```[\s\S]*?```/g, (code) => code.replaceAll(/^#/gm, ' #')).split(/^(?=##+ )/m)
  return parts.map((part) => {
    const heading = /^##+ (.+)$/m.exec(part)?.[1].replaceAll(/[`*]/g, '') ?? ''
    return { path: heading === '' ? path : `${path}#${anchorOf(heading)}`, title, heading, text: plain(part) }
  })
}

/** Markdown without its marks. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/^#+ .*$/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|>#]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
