/**
 * The order of the navigation. A pattern names files of docs/ without `.md`; `*` stands for all of a folder. A page
 * that no pattern names stands under the last heading, so that a new page is never lost.
 */
const SECTIONS: readonly { title: string; pages: readonly string[] }[] = [
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
      ...['method', 'method-plus', 'promises', 'asking', 'robustness', 'rivals', 'paper'],
      ...['auditors', 'evidence', 'simulation', 'architecture'],
    ],
  },
  { title: 'Lab', pages: ['lab', 'results', 'performance', 'scale', 'python'] },
  {
    title: 'Service',
    pages: ['server', 'connect', 'alarms', 'people', 'api', 'web', 'operations/README', 'operations/*'],
  },
  { title: 'Extending', pages: ['extending/*'] },
  { title: 'Decisions', pages: ['decisions/*'] },
  { title: 'Reference', pages: ['options', 'glossary', 'references'] },
]

/** Where a page of docs/ stands: its section, the place of that section, and the page's place within. */
export function placeOf(name: string): { section: string; sectionPlace: number; place: number } {
  const folder = `${name.split('/').slice(0, -1).join('/')}/*`
  for (const pattern of [name, folder]) {
    for (const [sectionPlace, { title, pages }] of SECTIONS.entries()) {
      const place = pages.indexOf(pattern)
      if (place >= 0) return { section: title, sectionPlace, place }
    }
  }
  const last = SECTIONS.length - 1
  return { section: SECTIONS[last].title, sectionPlace: last, place: SECTIONS[last].pages.length }
}
