import type { SystemSummary } from '@pb-oel/protocol'
import { text } from '../strings/en.ts'
import { byName, byTrouble, inAlarm } from './trouble.ts'

/** Orders of the overview. */
export const SORTS = ['trouble', 'name', 'level', 'accuracy', 'questions', 'age'] as const
type Sort = (typeof SORTS)[number]

/** What systems are grouped by. */
export const GROUPINGS = ['none', 'name', 'level', 'state'] as const
type Grouping = (typeof GROUPINGS)[number]

/** How the systems are arranged. */
export interface Arrangement {
  /** Words that name, title, level or the person it is assigned to must hold. */
  search: string
  sort: Sort
  group: Grouping
}

/** Systems under a heading; without grouping the heading is empty. */
export interface Group {
  title: string
  systems: SystemSummary[]
}

/** Worst first; what nobody knows is worst. */
const ORDERS: Record<Sort, (a: SystemSummary, b: SystemSummary) => number> = {
  trouble: byTrouble,
  name: byName,
  level: (a, b) => severity(b) - severity(a) || byTrouble(a, b),
  accuracy: (a, b) => (a.recentAccuracy ?? -1) - (b.recentAccuracy ?? -1) || byName(a, b),
  questions: (a, b) => b.openQuestions - a.openQuestions || byName(a, b),
  age: (a, b) => (b.lastSampleAge ?? Infinity) - (a.lastSampleAge ?? Infinity) || byName(a, b),
}

/** The systems that match, in order, in groups. Groups come in the order of their first system. */
export function arrange(systems: readonly SystemSummary[], { search, sort, group }: Arrangement): Group[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = systems.filter(({ id, title, levelName, assignedTo }) => {
    const words = `${id} ${title} ${levelName ?? ''} ${assignedTo ?? ''}`.toLowerCase()
    return wanted.every((word) => words.includes(word))
  })
  const groups = new Map<string, SystemSummary[]>()
  for (const system of found.sort(ORDERS[sort])) {
    const title = groupOf(system, group)
    groups.set(title, [...(groups.get(title) ?? []), system])
  }
  return [...groups].map(([title, members]) => ({ title, systems: members }))
}

function groupOf(system: SystemSummary, group: Grouping): string {
  const words = text.overview
  if (group === 'level') return system.likely === null ? words.unknown : system.levels[system.likely]
  if (group === 'state')
    return inAlarm(system) ? words.groups.alarm : system.stale ? words.groups.stale : words.groups.normal
  if (group === 'name') return family(system.title) || words.groups.others
  return ''
}

/** The common beginning of names such as `North / pump 3`, `pump-03` or `pump 3`. */
export function family(title: string): string {
  const beginning = /^(.+?)\s*[/:·|]/.exec(title) ?? /^(.*?\D)[\s._-]*\d+$/.exec(title)
  return (beginning?.[1] ?? '').replace(/[\s._-]+$/, '')
}

/** How unsafe, 0 … 1; what has no level counts as worst. */
function severity({ likely, levels }: SystemSummary): number {
  return likely === null ? 1.1 : likely / Math.max(1, levels.length - 1)
}
