import '@fastify/swagger'
import { afterAll, describe, expect, it } from 'vitest'
import type { ServeOptions } from '../start/serve-options.ts'
import { ChildServer } from '../testing/child-server.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { PLANT } from '../testing/local-server.ts'
import { memoryApp } from '../testing/memory-app.ts'
import { NATS_SERVER, NatsCluster } from '../testing/nats-cluster.ts'
import { send } from '../testing/requests.ts'

const RULE = { topic: 'hall/{channel}', system: 'plant', values: { '{channel}': '/v' } }

/** Every route of a system, in an order in which each has something to do. */
const REQUESTS: readonly (readonly [operation: string, method: string, path: string, body?: object])[] = [
  ['getSystem', 'GET', ''],
  ['changeSystem', 'PATCH', '', { alarm: { level: 1, clearBelow: 1 } }],
  ['assess', 'POST', '/samples', [1, 2, 3].map((n) => ({ values: [n, 1] }))],
  ['getGuarantee', 'GET', '/guarantee'],
  ['getProgress', 'GET', '/progress'],
  ['listSamples', 'GET', '/samples?from=0'],
  ['getSample', 'GET', '/samples/1'],
  ['getChart', 'GET', '/chart'],
  ['claimQuestion', 'POST', '/queue/0/claim', { by: 'eva' }],
  ['releaseQuestion', 'DELETE', '/queue/0/claim?by=eva'],
  ['assign', 'POST', '/assignments', { assessment: 0, to: 'eva', by: 'max' }],
  ['comment', 'POST', '/comments', { assessment: 0, text: 'the lid was open', by: 'max' }],
  ['listComments', 'GET', '/comments?assessment=0'],
  ['answer', 'POST', '/feedback', { assessment: 0, kind: 'confirm', by: 'eva' }],
  ['getQueue', 'GET', '/queue'],
  ['answerStretch', 'POST', '/stretches', { from: 0, to: 8e12, kind: 'label', level: 1, by: 'max' }],
  ['withdrawStretch', 'DELETE', '/stretches/1?by=max'],
  ['excludeSamples', 'POST', '/exclusions', { from: 2, to: 2, why: 'a broken cable' }],
  ['listReviewers', 'GET', '/reviewers'],
  ['getLog', 'GET', '/log'],
  ['getState', 'GET', '/state'],
  ['exportSamples', 'GET', '/export?format=ndjson'],
  ['explain', 'GET', '/explanation'],
  ['acknowledgeAlarm', 'POST', '/alarm/acknowledge', { number: 1 }],
  ['shelveAlarm', 'POST', '/alarm/shelve', { seconds: 60, comment: 'known', by: 'eva' }],
  ['unshelveAlarm', 'POST', '/alarm/unshelve', {}],
  ['resetAlarm', 'POST', '/alarm/reset', {}],
  ['takeAlarmOutOfService', 'POST', '/alarm/out-of-service', { comment: 'works' }],
  ['putAlarmInService', 'POST', '/alarm/in-service', {}],
  ['whatIf', 'POST', '/what-if', { options: { networks: 3 } }],
  ['tryMapping', 'POST', '/mapping', { rule: RULE, topic: 'hall/pressure', message: '{"v":2.5}' }],
  ['addChannel', 'POST', '/channels', { name: 'flow', usual: 1 }],
  ['addLevel', 'POST', '/levels', { name: 'lost' }],
  ['cloneSystem', 'POST', '/clone', { id: 'twin', state: true }],
  ['compactLog', 'POST', '/compact', { keep: 5 }],
  ['getEventTicket', 'POST', '/events/ticket'],
  ['deleteSystem', 'DELETE', '?confirm=plant'],
]
/** Follows its events without an end; cluster.test.ts has it. */
const ENDLESS = ['followEvents']

/** Makes a plant and sends every request; the operations with their statuses. */
async function askAll(make: string, ask: string): Promise<[operation: string, status: number][]> {
  expect((await send(`${make}/v1/systems`, 'POST', { ...PLANT, id: 'plant' })).status).toBe(201)
  const statuses: [string, number][] = []
  for (const [operation, method, path, body] of REQUESTS) {
    statuses.push([operation, (await send(`${ask}/v1/systems/plant${path}`, method, body)).status])
  }
  return statuses
}

describe.skipIf(!NATS_SERVER)('a worker that does not have a system (needs nats-server 2.11)', () => {
  const folder = temporaryFolder()
  const running: (ChildServer | NatsCluster)[] = []
  afterAll(async () => {
    for (const one of running.reverse()) await ('kill' in one ? one.kill() : one.stop())
  })

  it('answers every route as a single server does', async () => {
    const { app } = await memoryApp()
    const paths = Object.entries(app.swagger().paths as Record<string, Record<string, { operationId: string }>>)
    const routes = paths.filter(([path]) => path.includes('{id}')).flatMap(([, methods]) => Object.values(methods))
    const asked = [...REQUESTS.map(([operation]) => operation), ...ENDLESS]
    expect(asked.toSorted()).toEqual(routes.map(({ operationId }) => operationId).toSorted())
    await app.close()

    const nats = await NatsCluster.start(folder, 1)
    running.push(nats)
    const where = { servers: nats.url, cluster: 'routes', shards: 1, leaseSeconds: 30 }
    const start = async (options: ServeOptions) => {
      const server = await ChildServer.start({ port: 0, ...options })
      running.push(server)
      return server
    }
    const workers = [await start({ nats: where }), await start({ nats: where })]
    const single = await start({ store: `${folder}/single.db` })
    const views = () => Promise.all(workers.map(async ({ url }) => (await send(`${url}/v1/cluster`, 'GET')).body))
    const known = async () => (await views()).map((view) => [Object.keys(view.workers).length, view.ready.length])
    await expect.poll(async () => (await known()).toSorted().join(' ')).toBe('2,0 2,1')
    const [other, owner] = (await known())
      .map(([, ready], i) => ({ ready, url: workers[i].url }))
      .toSorted((a, b) => a.ready - b.ready)

    const expected = await askAll(single.url, single.url)
    // Some have nothing to do, and say so.
    expect(expected.filter(([, status]) => status >= 300 && status !== 409)).toEqual([])
    expect(await askAll(owner.url, other.url)).toEqual(expected)
  })
})
