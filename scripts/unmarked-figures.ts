// Figures of the docs that no mark compares with a stored result: docs/measured/unmarked.json lists each, with reasons.

/** Figures of a page that need no mark: those named, or all of a section, or all of the page; and why. */
export interface Listed {
  readonly page: string
  /** Heading of the section, as it is written, without its signs. */
  readonly under?: string
  readonly figures?: readonly string[]
  readonly why: string
}

/**
 * With two or more decimals, or a time in µs. Versions and the share of labels that a trial sets, ρ, are no results.
 */
export const FIGURE = /(?<![\d.,]|Node |ρ = )(?:\d+\.\d{2,}(?!\d|\.\d)|\d+(?:\.\d+)?(?= µs))/g

/** What is wrong with the figures of a text whose marked passages are blank: not listed, or listed but not there. */
export function unmarkedFigures(page: string, text: string, listed: readonly Listed[]): string[] {
  const lines = withoutCode(text).split('\n')
  const sections = headingsOf(lines)
  const used = new Map<Listed, Set<string>>(listed.map((entry) => [entry, new Set()]))
  const strange = lines.flatMap((line, i) => {
    const figures = line.match(FIGURE) ?? []
    const unlisted = figures.filter((figure) => {
      const entry = listed.find(
        ({ under, figures }) =>
          (under === undefined || sections[i].includes(under)) && (figures === undefined || figures.includes(figure)),
      )
      if (entry) used.get(entry)?.add(figure)
      return !entry
    })
    if (unlisted.length === 0) return []
    return [`${page}:${i + 1}: no mark names the stored result of ${unlisted.join(', ')}, and no list the reason`]
  })
  const idle = [...used].flatMap(([{ under, figures }, seen]) => {
    const gone = figures ? figures.filter((figure) => !seen.has(figure)) : seen.size === 0 ? ['figures'] : []
    return gone.map((one) => (under === undefined ? one : `${one} under "${under}"`))
  })
  return [...strange, ...idle.map((what) => `${page}: unmarked.json lists ${what}, which the page has not`)]
}

/** Keeps the lines of a text and takes what is in them. */
export const blank = (text: string) => text.replace(/[^\n]/g, ' ')

function withoutCode(text: string): string {
  return text
    .replace(/^( *)(```|~~~)[\s\S]*?^ *\2/gm, blank)
    .replace(/`[^`\n]*`/g, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
}

/** The headings above each line, the nearest last. */
function headingsOf(lines: readonly string[]): string[][] {
  let open: string[] = []
  return lines.map((line) => {
    const [, signs, title] = line.match(/^(#+) +(.*)$/) ?? []
    if (signs) open = [...open.slice(0, signs.length - 1), title]
    return open
  })
}
