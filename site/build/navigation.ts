/**
 * The order of the navigation. A pattern names files of docs/ without `.md`; `*` stands for all of a folder. A page that
 * no pattern names stands under the last heading, so that a new page is never lost.
 */
export const SECTIONS: readonly { title: string; pages: readonly string[] }[] = [
  { title: 'Start', pages: ['tutorial', 'guide', 'coming-from', 'faq'] },
  {
    title: 'How to',
    pages: [
      'how-to/operator',
      'how-to/plant-engineer',
      'how-to/ml-engineer',
      'how-to/researcher',
      'how-to/admin',
      'how-to/*',
    ],
  },
  {
    title: 'Explanation',
    pages: [
      'method',
      'method-plus',
      'promises',
      'asking',
      'rivals',
      'paper',
      'auditors',
      'architecture',
      'decisions/*',
    ],
  },
  { title: 'Lab', pages: ['lab', 'performance', 'scale', 'python'] },
  { title: 'Service', pages: ['server', 'web', 'operations/README', 'operations/*'] },
  { title: 'Extending', pages: ['extending/*'] },
  { title: 'Reference', pages: ['glossary', 'references'] },
]

/** Where a page of docs/ stands: its section, and its place within. */
export function placeOf(name: string): { section: string; place: number } {
  for (const { title, pages } of SECTIONS) {
    const exact = pages.indexOf(name)
    if (exact >= 0) return { section: title, place: exact }
  }
  const folder = `${name.split('/').slice(0, -1).join('/')}/*`
  for (const { title, pages } of SECTIONS) {
    const within = pages.indexOf(folder)
    if (within >= 0) return { section: title, place: within }
  }
  return { section: 'Reference', place: SECTIONS.length }
}
