import glossary from '../../../../docs/glossary.md?raw'

/** A word of the project with its meaning. */
export interface Term {
  word: string
  meaning: string
}

/** The glossary by chapter, as the docs have it. */
export const CHAPTERS: readonly { title: string; terms: readonly Term[] }[] = glossary
  .split(/^## /m)
  .slice(1)
  .map((chapter) => ({ title: chapter.slice(0, chapter.indexOf('\n')).trim(), terms: termsOf(chapter) }))

function termsOf(chapter: string): Term[] {
  const rows = [...chapter.matchAll(/^\| ([^|]+) \| (.+) \|$/gm)]
  return rows.filter(([, word]) => word !== 'word').map(([, word, meaning]) => ({ word, meaning: plain(meaning) }))
}

/** A meaning without the marks of the docs. */
function plain(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '')
}
