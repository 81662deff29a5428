/** One found place: a section of a page. */
export interface SearchEntry {
  id: number
  path: string
  title: string
  heading: string
  text: string
}

/** The index is written and read with the same options. */
export const SEARCH_OPTIONS = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['path', 'title', 'heading'],
  searchOptions: { boost: { title: 3, heading: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' as const },
}
