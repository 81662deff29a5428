import { count, plural } from './format.ts'

/** The overview of all systems, in English. */
export const overviewText = {
  title: 'Systems',
  empty: 'No systems yet',
  emptyHint: 'Drop a CSV file, or connect a sensor: a system is made in a minute.',
  emptyForOthers: 'An admin can create one here.',
  loading: 'Loading systems …',
  unknown: 'Level not known',
  untrained: (answers: number) => `needs at least ${plural(answers, 'more answer', 'more answers')} to say a level`,
  search: 'Find',
  searchHint: 'name, level or person',
  noneFound: 'No system matches.',
  sort: 'Order',
  sorts: {
    trouble: 'trouble first',
    name: 'name',
    level: 'least safe first',
    accuracy: 'least accurate first',
    questions: 'most questions first',
    age: 'oldest data first',
  },
  group: 'Groups',
  groupings: { none: 'none', name: 'by name', level: 'by level', state: 'by state' },
  groups: { alarm: 'In alarm', stale: 'Stale', normal: 'No alarm', others: 'Others' },
  members: (systems: number, alarms: number) =>
    `${count(systems)}${alarms > 0 ? `, ${plural(alarms, 'alarm', 'alarms')}` : ''}`,
  views: { cards: 'Cards', rows: 'Rows' },
  asked: (questions: string) => `${questions} open`,
  right: (share: string) => `${share} right`,
  trend: (time: string) => `last ${time}`,
  trends: {
    rising: 'getting worse',
    steady: 'steady',
    falling: 'getting safer',
    mixed: 'up and down',
    none: 'no trend yet',
  },
  age: (age: string) => `sample ${age} ago`,
  never: 'no sample yet',
  questions: (open: number) => plural(open, 'open question', 'open questions'),
  accuracy: (estimated: boolean) => (estimated ? 'recent accuracy, estimated' : 'recent accuracy'),
  certified: (share: string) => `at least ${share} right`,
  notReady: 'takes no samples now',
  degraded: (channels: number) => plural(channels, 'channel degraded', 'channels degraded'),
  counts: (systems: number, alarms: number, over: number) =>
    [
      plural(systems, 'system', 'systems'),
      alarms === 0 ? (over === 0 ? 'no alarm' : 'no active alarm') : plural(alarms, 'alarm', 'alarms'),
      ...(over === 0 ? [] : [`${over} over and not acknowledged`]),
    ].join(', '),
}
