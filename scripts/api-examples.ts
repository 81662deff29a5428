// Writes the examples of the API's document from a real run: node scripts/api-examples.ts
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { memoryApp } from '../packages/server/src/testing/memory-app.ts'

/** 15 November 2026, 10:00 UTC. */
const NOON = 1_794_736_800_000

const SYSTEM = {
  id: 'boat',
  channels: ['depth', 'oxygen'],
  levels: ['safe', 'unsafe'],
  options: { experts: 3 },
  missing: 'hold',
}

type Call = readonly [operation: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', address: string, body?: unknown]

/** The life of a system, an operation at a time. */
const CALLS: readonly Call[] = [
  ['createSystem', 'POST', '', SYSTEM],
  ['assess', 'POST', '/boat/samples', { values: { depth: 120.5, oxygen: 20.9 }, key: 'n1' }],
  ['getQueue', 'GET', '/boat/queue'],
  ['claimQuestion', 'POST', '/boat/queue/0/claim', { seconds: 60 }],
  ['releaseQuestion', 'DELETE', '/boat/queue/0/claim'],
  ['answerStretch', 'POST', '/boat/stretches', { from: NOON - 60_000, to: NOON + 60_000, kind: 'confirm', by: 'eva' }],
  ['withdrawStretch', 'DELETE', '/boat/stretches/4'],
  ['assign', 'POST', '/boat/assignments', { assessment: 0, to: 'eva', by: 'ada' }],
  ['comment', 'POST', '/boat/comments', { assessment: 0, text: 'the hatch was open', by: 'ada' }],
  ['listComments', 'GET', '/boat/comments?assessment=0'],
  ['answer', 'POST', '/boat/feedback', { assessment: 0, kind: 'label', level: 0, by: 'eva' }],
  ['whatIf', 'POST', '/boat/what-if', { method: 'majority' }],
  [
    'tryMapping',
    'POST',
    '/boat/mapping',
    {
      rule: { topic: 'ship/{channel}', system: 'boat', values: { '{channel}': '/value' } },
      topic: 'ship/depth',
      message: '{"value":120.5}',
    },
  ],
  ['listReviewers', 'GET', '/boat/reviewers'],
  ['listSystems', 'GET', ''],
  ['getSystem', 'GET', '/boat'],
  ['changeSystem', 'PATCH', '/boat', { title: 'Boat 7', alarm: { raiseAfter: 5 } }],
  ['shelveAlarm', 'POST', '/boat/alarm/shelve', { about: 'stale', seconds: 1_800, comment: 'in the harbour' }],
  ['unshelveAlarm', 'POST', '/boat/alarm/unshelve', { about: 'stale' }],
  ['takeAlarmOutOfService', 'POST', '/boat/alarm/out-of-service', { about: 'stale', comment: 'new sensor' }],
  ['listAlarms', 'GET', '/v1/alarms?show=hidden'],
  ['putAlarmInService', 'POST', '/boat/alarm/in-service', { about: 'stale' }],
  ['getAlarmHistory', 'GET', '/v1/alarms/history?limit=2'],
  ['getGuarantee', 'GET', '/boat/guarantee'],
  ['getProgress', 'GET', '/boat/progress'],
  ['listSamples', 'GET', '/boat/samples'],
  ['getSample', 'GET', '/boat/samples/0'],
  ['getChart', 'GET', '/boat/chart'],
  ['getLog', 'GET', '/boat/log?limit=2'],
  ['exportSamples', 'GET', '/boat/export'],
  ['cloneSystem', 'POST', '/boat/clone', { id: 'boat-8', title: 'Boat 8', state: true }],
  ['excludeSamples', 'POST', '/boat/exclusions', { from: 0, why: 'the sensor was being cleaned', by: 'ada' }],
  ['addChannel', 'POST', '/boat/channels', { name: 'salinity', usual: 35, unit: 'g/kg' }],
  ['addLevel', 'POST', '/boat/levels', { name: 'evacuate' }],
  ['deleteSystem', 'DELETE', '/boat-8?confirm=boat-8'],
  ['getState', 'GET', '/boat/state'],
  ['getClock', 'GET', '/v1/clock'],
]

/** What a run here cannot show: it has no file, no broker, no simulation, and secrets are no examples. */
const TOLD: Record<string, { body?: unknown; answer?: unknown }> = {
  compactLog: { body: { keep: 100_000 }, answer: { removedThrough: 812_000 } },
  followEvents: { answer: 'id: 5\nevent: alarm\ndata: {"number":1,"status":"active","level":1}\n\n' },
  getEventTicket: {
    answer: { ticket: 'WyIi.c2ln', expires: NOON + 300_000, url: '/v1/systems/boat/events?ticket=WyIi.c2ln' },
  },
  whoAmI: { answer: { name: 'eva', roles: ['reviewer'], systems: ['*'], open: false } },
  createToken: { body: { name: 'eva', roles: ['reviewer'], systems: ['boat'] }, answer: token() },
  rotateToken: { body: { graceSeconds: 3600 }, answer: token() },
  listTokens: {
    answer: {
      tokens: [
        { id: '0123456789ab', name: 'eva', roles: ['reviewer'], systems: ['boat'], created: NOON, createdBy: 'alice' },
      ],
    },
  },
  explain: {
    answer: {
      ...{ level: 1, against: 0, compared: 'other-level', model: 'present', lead: 0.94, referenceLead: -0.88 },
      window: { from: NOON, to: NOON + 900, samples: 10 },
      reference: { from: NOON - 60_000, to: NOON - 1_000, samples: 48 },
      channels: [
        { channel: 'oxygen', contribution: 1.7, share: 0.96, value: 16.2, usual: 20.9 },
        { channel: 'depth', contribution: 0.07, share: 0.04, value: 121.4, usual: 120.5 },
      ],
    },
  },
  health: { answer: { status: 'ok' } },
  readiness: { answer: { status: 'ok' } },
  metrics: { answer: '# HELP pb_oel_samples_total Samples assessed\npb_oel_samples_total{system="boat"} 1\n' },
  backUp: { answer: { file: 'pb-oel-backup-2026-11-15T10-00-00-000Z.db' } },
  listBackups: {
    answer: { backups: [{ file: 'pb-oel-backup-2026-11-15T10-00-00-000Z.db', bytes: 1_048_576, time: NOON }] },
  },
  getSimulation: { answer: simulation() },
  changeSimulation: { body: { speed: 40 }, answer: { ...simulation(), speed: 40 } },
}

function token(): object {
  return { id: '0123456789ab', token: `pboel_0123456789ab_${'x'.repeat(43)}` }
}

function simulation(): object {
  return { system: 'dive', speed: 20, answers: 0.5, labels: 0.05 }
}

/** The examples by operation. */
async function examples(): Promise<Record<string, { body?: unknown; answer?: unknown }>> {
  const { app } = await memoryApp({}, () => NOON)
  const made: Record<string, { body?: unknown; answer?: unknown }> = { ...TOLD }
  for (const [operation, method, address, payload] of CALLS) {
    const url = address.startsWith('/v1') ? address : `/v1/systems${address}`
    const reply = await app.inject({ method, url, headers: { host: 'localhost' }, payload: payload as object })
    if (reply.statusCode >= 300) throw new Error(`${operation}: ${reply.body}`)
    made[operation] = {
      ...(payload !== undefined && { body: payload }),
      ...(reply.body !== '' && { answer: reply.headers['content-type']?.includes('json') ? reply.json() : reply.body }),
    }
  }
  const methods = (await app.inject({ url: '/v1/methods', headers: { host: 'localhost' } })).json().methods
  const [{ options, ...method }] = methods
  made.listMethods = { answer: { methods: [{ ...method, options: options.slice(0, 2) }] } }
  made.acknowledgeAlarm = { body: { number: 1, comment: 'on my way' }, answer: made.getSystem.answer }
  made.resetAlarm = { body: { comment: 'the valve is open again' }, answer: made.getSystem.answer }
  made.listSystems = { answer: { systems: (made.listSystems.answer as { systems: object[] }).systems.slice(0, 1) } }
  return Object.fromEntries(Object.entries(made).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const file = fileURLToPath(new URL('../packages/server/src/http/api-examples.json', import.meta.url))
writeFileSync(file, `${JSON.stringify(await examples(), null, 2)}\n`)
