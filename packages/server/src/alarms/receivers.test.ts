import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { AlarmMessage } from '@pb-oel/protocol'
import mqtt from 'mqtt'
import { SMTPServer } from 'smtp-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../config.ts'
import { alarmingPlant } from '../testing/alarming-plant.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { localServer } from '../testing/local-server.ts'
import { MOSQUITTO, Mosquitto } from '../testing/mosquitto.ts'
import { receiverOutboxes } from './receivers.ts'

/** A mail server that keeps what it takes, and refuses as long as `refuse` says so. */
async function mailServer() {
  const mails: { to: string[]; text: string }[] = []
  const state = { refuse: false, attempts: 0 }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      let text = ''
      stream.on('data', (chunk) => (text += chunk))
      stream.on('end', () => {
        state.attempts++
        if (state.refuse) return done(new Error('not now'))
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text })
        done()
      })
    },
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => new Promise<void>((closed) => server.close(() => closed())))
  const { port } = server.server.address() as AddressInfo
  return { mails, state, smtp: { host: '127.0.0.1', port, from: 'pb-oel <alarms@plant.example>' } }
}

/** An address that keeps what is posted to it. */
async function webhook() {
  const posted: AlarmMessage[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      posted.push(JSON.parse(body))
      response.end()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  return {
    posted,
    hook: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, secret: 'sixteen letters!' },
  }
}

const until = (done: () => boolean) => expect.poll(done).toBe(true)

/** An alarm that nobody acknowledges: the lead is mailed after 10 s, the manager hooked and all of MQTT after 60 s. */
const ESCALATION = [
  { after: 10, tell: ['shift lead'] },
  { after: 60, tell: ['manager', 'siren'] },
]

describe('receivers of an escalation', () => {
  it('are told step by step by mail, webhook and topic, and how it went on', async () => {
    const { mails, smtp } = await mailServer()
    const { posted, hook } = await webhook()
    const published: [string, AlarmMessage][] = []
    const plant = await alarmingPlant({ alarm: { level: 1 }, alarms: { level: { escalation: ESCALATION } } })
    const receivers = {
      'shift lead': { email: ['lead@plant.example', 'desk@plant.example'] },
      manager: { webhook: hook },
      siren: { mqtt: 'site/siren' },
    }
    const broker = { escalation: async (topic: string, message: AlarmMessage) => void published.push([topic, message]) }
    const outboxes = receiverOutboxes({ receivers, smtp }, plant.service, broker, 0.01)
    for (const outbox of outboxes) await outbox.start()
    await plant.sample()
    await plant.clock.advance(9_000)
    expect(plant.alarms.length).toBe(1)
    await plant.clock.advance(1_500)
    await until(() => mails.length === 1)
    expect(mails[0].to).toEqual(['lead@plant.example', 'desk@plant.example'])
    expect(mails[0].text).toMatch(/Subject: high: plant: unsafe \(active\)/)
    expect(mails[0].text).toContain('Nobody has acknowledged it: step 1 of the escalation.')
    const records = await plant.log.read('plant', { kinds: ['alarm'] })
    expect(mails[0].text).toContain(`Message-ID: <plant.${records[1].sequence}@pb-oel>`)
    expect([posted.length, published.length]).toEqual([0, 0])
    await plant.clock.advance(50_000)
    await until(() => mails.length === 2 && posted.length === 1 && published.length === 1)
    expect(posted[0]).toMatchObject({ cause: 'escalated', step: 2, tell: ['shift lead', 'manager', 'siren'] })
    expect(published[0]).toMatchObject(['site/siren', { step: 2 }])
    await plant.service.acknowledge('plant', 1, 'eva', undefined, 'on my way')
    await until(() => mails.length === 3 && posted.length === 2 && published.length === 2)
    expect(mails[2].text).toContain('eva has acknowledged it.')
    expect(posted[1]).toMatchObject({ status: 'acknowledged', comment: 'on my way' })
    await Promise.all(outboxes.map((outbox) => outbox.stop()))
  })

  it('get a mail that was refused again, also after a restart, and then no more', async () => {
    const { mails, state, smtp } = await mailServer()
    const receivers = { 'shift lead': { email: ['lead@plant.example'] } }
    const escalation = [{ after: 10, tell: ['shift lead'] }]
    const plant = await alarmingPlant({ alarm: { level: 1 }, alarms: { level: { escalation } } })
    state.refuse = true
    const [first] = receiverOutboxes({ receivers, smtp }, plant.service, undefined, 0.01)
    await first.start()
    await plant.sample()
    await plant.clock.advance(10_500)
    await until(() => state.attempts >= 1)
    await first.stop()
    expect(mails).toEqual([])
    state.refuse = false
    const [second] = receiverOutboxes({ receivers, smtp }, plant.service, undefined, 0.01)
    await second.start()
    await until(() => mails.length === 1)
    await second.stop()
    const [third] = receiverOutboxes({ receivers, smtp }, plant.service, undefined, 0.01)
    await third.start()
    await plant.service.acknowledge('plant', 1, 'eva')
    await until(() => mails.length === 2)
    await third.stop()
    expect(mails[1].text).toContain('eva has acknowledged it.')
  })

  it('that the server does not know are refused by name, and nothing changes', async () => {
    const plant = await alarmingPlant()
    receiverOutboxes(
      { receivers: { manager: { email: ['m@plant.example'] } }, smtp: { host: 'x', from: 'a@b' } },
      plant.service,
      undefined,
    )
    const alarms = { level: { escalation: [{ after: 10, tell: ['nobody'] }] } }
    await expect(plant.service.configure('plant', { alarms }, 'test')).rejects.toThrow(
      /alarms\.level\.escalation.*nobody.*manager/,
    )
    expect(await plant.log.read('plant', { kinds: ['configuration'] })).toEqual([])
  })

  it.skipIf(!MOSQUITTO)(
    'are told by a server whose configuration file names them, over a real broker and by mail (needs mosquitto)',
    async () => {
      const { mails, smtp } = await mailServer()
      const folder = temporaryFolder()
      const broker = await Mosquitto.start(folder)
      onTestFinished(() => broker.stop())
      const siren = await mqtt.connectAsync(broker.url)
      onTestFinished(() => siren.endAsync())
      const heard: [string, AlarmMessage][] = []
      siren.on('message', (topic, payload) => heard.push([topic, JSON.parse(payload.toString())]))
      await siren.subscribeAsync('site/#', { qos: 1 })
      const file = join(folder, 'server.json')
      const escalation = [{ after: 1, tell: ['shift lead', 'siren'] }]
      const warmUp = Array.from({ length: 10 }, () => ({ x: [0], level: 1 }))
      const plant = {
        id: 'plant',
        channels: ['a'],
        levels: ['safe', 'unsafe'],
        method: 'majority',
        options: { warmUp },
      }
      const receivers = { 'shift lead': { email: ['lead@plant.example'] }, siren: { mqtt: 'site/siren' } }
      const systems = [{ ...plant, alarm: { level: 1 }, alarms: { level: { escalation } } }]
      const server = { store: join(folder, 'plant.db'), port: 0, logLevel: 'silent', mqtt: { url: broker.url } }
      writeFileSync(file, JSON.stringify({ ...server, smtp, receivers, systems }))
      const { service } = await localServer(readConfig(file))
      await service.sample('plant', { values: [1] }, 'test')
      await until(() => mails.length === 1 && heard.length === 1)
      expect(mails[0].text).toContain('Nobody has acknowledged it: step 1 of the escalation.')
      expect(heard[0]).toMatchObject(['site/siren', { system: 'plant', cause: 'escalated', step: 1 }])
      await service.acknowledge('plant', 1, 'eva')
      await until(() => mails.length === 2 && heard.length === 2)
      expect(heard[1][1]).toMatchObject({ status: 'acknowledged', acknowledgedBy: 'eva' })
    },
  )
})
