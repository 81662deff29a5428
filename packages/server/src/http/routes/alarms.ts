import {
  AlarmHistory,
  AlarmList,
  type AlarmMessage,
  type AlarmOfSystem,
  moment,
  PRIORITIES,
  RuleName,
  SystemId,
  type SystemSummary,
  word,
} from '@pb-oel/protocol'
import { Type } from '@sinclair/typebox'
import { floodFigures, mergedFigures } from '../../alarms/flood.ts'
import { AlarmJournal } from '../../alarms/journal.ts'
import { maySee, type Principal } from '../../auth/roles.ts'
import type { LiveSystem } from '../../service/live-system.ts'
import { messageOf } from '../../views/record-event.ts'
import type { App, Context } from '../context.ts'
import { askOthers } from '../others.ts'
import { integerQuery, momentOf } from '../parameters.ts'

/** Which alarms a list shows, by the word in the query. */
const SHOWN: Record<'calling' | 'standing' | 'hidden' | 'all', (alarm: AlarmOfSystem) => boolean> = {
  calling: ({ calls }) => calls,
  standing: ({ status }) => status !== 'normal',
  hidden: ({ shelved, suppressed, outOfService }) =>
    !!shelved || suppressed !== undefined || outOfService !== undefined,
  all: () => true,
}

const words = Object.keys(SHOWN) as (keyof typeof SHOWN)[]
/** Changes that one record can lead to, and a page reads beyond its end. */
const TOGETHER = 100
const ORDER = ['active', 'returned', 'latched', 'acknowledged', 'normal']

/** The alarms of all systems, as they are and as they were. */
export function alarmListRoutes(app: App, context: Context): void {
  const journal = new AlarmJournal(context.service)
  listRoute(app, context, journal)
  historyRoute(app, context, journal)
}

function listRoute(app: App, context: Context, journal: AlarmJournal): void {
  const { service } = context
  app.get('/v1/alarms', {
    config: { permission: 'read' },
    schema: {
      operationId: 'listAlarms',
      summary: 'Alarms of all systems, most urgent first, and how many people have to bear',
      querystring: Type.Object({
        show: Type.Optional(
          word(words, 'calling: those that wait for a person; standing (default): all but normal ones; hidden; all'),
        ),
        system: Type.Optional(SystemId),
        about: Type.Optional(RuleName),
        priority: Type.Optional(word(PRIORITIES, 'this priority or a higher one')),
      }),
      response: { 200: AlarmList },
    },
    handler: async (request) => {
      const { show = 'standing', system, about, priority = 'low' } = request.query
      const mine = visible(context, request.principal, system)
      const rows = await Promise.all(mine.map((one) => one.overview()))
      const now = service.clock()
      const everything = rows.filter(({ archived }) => !archived).flatMap(alarmsOf)
      const changes = (await Promise.all(mine.map((one, i) => latestOf(journal, one, rows[i])))).flat()
      const others = await askOthers<AlarmList>(request, context.cluster)
      const wanted = everything
        .filter(SHOWN[show])
        .filter((alarm) => about === undefined || alarm.about === about)
        .filter((alarm) => PRIORITIES.indexOf(alarm.priority) >= PRIORITIES.indexOf(priority))
      const alarms = [...wanted, ...others.flatMap((list) => list.alarms)].sort(byUrgency)
      const own = floodFigures(changes, everything, now)
      return { alarms, figures: mergedFigures([own, ...others.map(({ figures }) => figures)]), now }
    },
  })
}

function historyRoute(app: App, context: Context, journal: AlarmJournal): void {
  app.get('/v1/alarms/history', {
    config: { permission: 'read' },
    schema: {
      operationId: 'getAlarmHistory',
      summary: 'Changes of the alarms of all systems, latest first, a page at a time',
      querystring: Type.Object({
        system: Type.Optional(SystemId),
        about: Type.Optional(RuleName),
        from: Type.Optional(moment('only changes at or after')),
        to: Type.Optional(moment('only changes before')),
        limit: integerQuery(1, 1_000, 'default 100'),
      }),
      response: { 200: AlarmHistory },
    },
    handler: async (request) => {
      const { system, about, limit = 100 } = request.query
      const from = momentOf(request.query.from, 'from') ?? 0
      const to = momentOf(request.query.to, 'to') ?? Number.MAX_SAFE_INTEGER
      const mine = visible(context, request.principal, system)
      const own = await Promise.all(
        mine.map(async (one) => {
          const [row, events] = await Promise.all([one.overview(), journal.before(one, to, limit + TOGETHER)])
          return events.map((event) => messageOf(row, event))
        }),
      )
      const others = await askOthers<AlarmHistory>(request, context.cluster)
      const all = [...own.flat(), ...others.flatMap(({ changes }) => changes)]
        .filter((change) => change.time >= from && (about === undefined || (change.about ?? 'level') === about))
        .sort((a, b) => b.time - a.time || b.sequence - a.sequence)
      // Changes of one moment stay together, so that the next page begins behind all of them.
      const last = all[limit - 1]
      const changes = last ? all.filter(({ time }) => time >= last.time) : all
      return { changes, ...(last && all.length > changes.length && { next: last.time }) }
    },
  })
}

/** The systems of this server that a caller may see; perhaps only one of them. */
function visible({ service }: Context, principal: Principal, system: string | undefined): LiveSystem[] {
  return service.list().filter(({ id }) => maySee(principal, id) && (system === undefined || id === system))
}

function alarmsOf({ id, title, levels, alarms }: SystemSummary): AlarmOfSystem[] {
  return alarms.map((alarm) => ({ system: id, title, levelName: levels[alarm.level] ?? '', ...alarm }))
}

async function latestOf(journal: AlarmJournal, system: LiveSystem, row: SystemSummary): Promise<AlarmMessage[]> {
  return (await journal.latest(system)).map((event) => messageOf(row, event))
}

/** Those that call first, the most urgent of them first, the oldest of those first. */
function byUrgency(a: AlarmOfSystem, b: AlarmOfSystem): number {
  return (
    Number(b.calls) - Number(a.calls) ||
    PRIORITIES.indexOf(b.priority) - PRIORITIES.indexOf(a.priority) ||
    ORDER.indexOf(a.status) - ORDER.indexOf(b.status) ||
    a.since - b.since
  )
}
