import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { turningPlant } from '../testing/alarming-plant.ts'
import { makeOutboxes } from './make-outboxes.ts'
import type { Parts } from './parts.ts'

it('each webhook and the broker get every alarm, and each has a place of its own in the log', async () => {
  const { service, log, turn, changes } = await turningPlant()
  const told: string[] = []
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      told.push(request.url as string)
      response.end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const urls = ['/hall', '/desk'].map((path) => `http://127.0.0.1:${port}${path}`)
  const webhooks = urls.map((url) => ({ url, secret: 'sixteen letters!' }))
  const published = async (topic: string) => void told.push(topic)
  const alarms = { alarm: () => published('alarm'), escalation: published }
  const options = { webhooks, receivers: { siren: { mqtt: 'site/siren' } } }
  const parts = { options, service, broker: { alarms } } as Partial<Record<keyof Parts, unknown>>
  const outboxes = makeOutboxes(parts as unknown as Parts, {} as never)
  for (const outbox of outboxes) await outbox.start()
  await turn()
  const [change] = await changes()
  const places = ['mqtt', 'siren', ...urls].map((name) => `alarms of plant to ${name}`)
  await expect.poll(() => Promise.all(places.map((place) => log.cursor(place)))).toEqual(Array(4).fill(change))
  // Nobody has escalated anything.
  expect(told.sort()).toEqual(['/desk', '/hall', 'alarm'])
  await Promise.all(outboxes.map((outbox) => outbox.stop()))
})
