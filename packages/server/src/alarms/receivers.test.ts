import { EventEmitter, once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { join } from 'node:path'
import type { AlarmMessage } from '@pb-oel/protocol'
import mqtt from 'mqtt'
import { SMTPServer } from 'smtp-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Receiver, readConfig } from '../config.ts'
import { checkStart } from '../start/start-checks.ts'
import { alarmingPlant } from '../testing/alarming-plant.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { localServer } from '../testing/local-server.ts'
import { MOSQUITTO, Mosquitto } from '../testing/mosquitto.ts'
import { mailAlarm } from './mail.ts'
import { receiverOutboxes } from './receivers.ts'

/** What has come so far, and a way to wait for more. */
class Inbox<T> {
  readonly all: T[] = []
  private readonly arrivals = new EventEmitter()

  add(one: T): void {
    this.all.push(one)
    this.arrivals.emit('one')
  }

  async holds(count: number): Promise<void> {
    while (this.all.length < count) await once(this.arrivals, 'one')
  }
}

/** A mail server that keeps what it takes, and refuses as long as `refuse` says so. */
async function mailServer() {
  const mails = new Inbox<{ to: string[]; text: string }>()
  const attempts = new Inbox<string | undefined>()
  const state = { refuse: false }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _, done) => done(null, { user: `${username}:${password}` }),
    onData: (stream, session, done) => {
      let text = ''
      stream.on('data', (chunk) => (text += chunk))
      stream.on('end', () => {
        attempts.add(session.user)
        if (state.refuse) return done(new Error('not now'))
        mails.add({ to: session.envelope.rcptTo.map(({ address }) => address), text })
        done()
      })
    },
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => new Promise<void>((closed) => server.close(() => closed())))
  const { port } = server.server.address() as AddressInfo
  return { mails, attempts, state, smtp: { host: '127.0.0.1', port, from: 'pb-oel <alarms@plant.example>' } }
}

/** An address that keeps what is posted to it. */
async function webhook() {
  const posted = new Inbox<AlarmMessage>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      posted.add(JSON.parse(body))
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

/** An alarm that nobody acknowledges: the lead is mailed after 10 s, the manager hooked and all of MQTT after 60 s. */
const ESCALATION = [
  { after: 10, tell: ['shift lead'] },
  { after: 60, tell: ['manager', 'siren'] },
]

describe('receivers of an escalation', () => {
  it('are told step by step by mail, webhook and topic, and how it went on', async () => {
    const { mails, smtp } = await mailServer()
    const { posted, hook } = await webhook()
    const published = new Inbox<[string, AlarmMessage]>()
    const plant = await alarmingPlant({ alarm: { level: 1 }, alarms: { level: { escalation: ESCALATION } } })
    const receivers = {
      'shift lead': { email: ['lead@plant.example', 'desk@plant.example'] },
      manager: { webhook: hook },
      siren: { mqtt: 'site/siren' },
    }
    const broker = { escalation: async (topic: string, message: AlarmMessage) => published.add([topic, message]) }
    const outboxes = receiverOutboxes({ receivers, smtp }, plant.service, broker, 0.01)
    for (const outbox of outboxes) await outbox.start()
    await plant.sample()
    await plant.clock.advance(9_000)
    expect(plant.alarms.length).toBe(1)
    await plant.clock.advance(1_500)
    await mails.holds(1)
    expect(mails.all[0].to).toEqual(['lead@plant.example', 'desk@plant.example'])
    expect(mails.all[0].text).toMatch(/Subject: high: plant: unsafe \(active\)/)
    expect(mails.all[0].text).toContain('Nobody has acknowledged it: step 1 of the escalation.')
    const records = await plant.log.read('plant', { kinds: ['alarm'] })
    expect(mails.all[0].text).toContain(`Message-ID: <plant.${records[1].sequence}@pb-oel>`)
    expect([posted.all.length, published.all.length]).toEqual([0, 0])
    await plant.clock.advance(50_000)
    await Promise.all([mails.holds(2), posted.holds(1), published.holds(1)])
    expect(posted.all[0]).toMatchObject({ cause: 'escalated', step: 2, tell: ['shift lead', 'manager', 'siren'] })
    expect(published.all[0]).toMatchObject(['site/siren', { step: 2 }])
    await plant.service.acknowledge('plant', 1, 'eva', undefined, 'on my way')
    await Promise.all([mails.holds(3), posted.holds(2), published.holds(2)])
    expect(mails.all[2].text).toContain('eva has acknowledged it.')
    expect(posted.all[1]).toMatchObject({ status: 'acknowledged', comment: 'on my way' })
    await Promise.all(outboxes.map((outbox) => outbox.stop()))
  })

  it('get a mail that was refused again, also after a restart, and then no more', async () => {
    const { mails, attempts, state, smtp } = await mailServer()
    const receivers = { 'shift lead': { email: ['lead@plant.example'] } }
    const escalation = [{ after: 10, tell: ['shift lead'] }]
    const plant = await alarmingPlant({ alarm: { level: 1 }, alarms: { level: { escalation } } })
    state.refuse = true
    const [first] = receiverOutboxes({ receivers, smtp }, plant.service, undefined, 0.01)
    await first.start()
    await plant.sample()
    await plant.clock.advance(10_500)
    await attempts.holds(1)
    await first.stop()
    expect(mails.all).toEqual([])
    state.refuse = false
    const [second] = receiverOutboxes({ receivers, smtp }, plant.service, undefined, 0.01)
    await second.start()
    await mails.holds(1)
    await second.stop()
    const [third] = receiverOutboxes({ receivers, smtp }, plant.service, undefined, 0.01)
    await third.start()
    await plant.service.acknowledge('plant', 1, 'eva')
    await mails.holds(2)
    await third.stop()
    expect(mails.all[1].text).toContain('eva has acknowledged it.')
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

  it('are none where none is named, and need a way to tell them', async () => {
    const plant = await alarmingPlant()
    expect(receiverOutboxes({}, plant.service, undefined)).toEqual([])
    const smtp = { host: 'mail', from: 'a@plant.example', username: 'plant' }
    const broker = { escalation: async () => {} }
    for (const [receiver, mail, publisher] of [
      [{ email: ['a@b'] }, undefined, broker],
      [{ mqtt: 'siren' }, smtp, undefined],
      [{}, smtp, broker],
    ] as const) {
      const options = { receivers: { lead: receiver as Receiver }, smtp: mail }
      expect(() => receiverOutboxes(options, plant.service, publisher)).toThrow('without a way')
    }
    await expect(checkStart({ smtp }, '127.0.0.1', 0)).rejects.toThrow('smtp.username needs smtp.password')
    await checkStart({ smtp: { ...smtp, password: 'secret' } }, '127.0.0.1', 0)
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
      const heard = new Inbox<[string, AlarmMessage]>()
      siren.on('message', (topic, payload) => heard.add([topic, JSON.parse(payload.toString())]))
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
      await Promise.all([mails.holds(1), heard.holds(1)])
      expect(mails.all[0].text).toContain('Nobody has acknowledged it: step 1 of the escalation.')
      expect(heard.all[0]).toMatchObject(['site/siren', { system: 'plant', cause: 'escalated', step: 1 }])
      await service.acknowledge('plant', 1, 'eva')
      await Promise.all([mails.holds(2), heard.holds(2)])
      expect(heard.all[1][1]).toMatchObject({ status: 'acknowledged', acknowledgedBy: 'eva' })
    },
  )
})

describe('a mail about an alarm', () => {
  const message: AlarmMessage = {
    ...{ system: 'plant', title: 'North plant', levelName: 'unsafe', number: 3, status: 'active', level: 1 },
    ...{ sequence: 9, since: 5_000, time: 5_000 },
  }
  /** Subject and lines of the mail that a change gives. */
  async function mailOf(more: Partial<AlarmMessage>) {
    const { mails, smtp } = await mailServer()
    await mailAlarm(smtp, ['lead@plant.example'], { ...message, ...more })
    const [head, text] = mails.all[0].text.split('\r\n\r\n')
    return { subject: /^Subject: (.*)$/m.exec(head)?.[1], lines: text.trimEnd().split('\r\n') }
  }

  it('says what is known, and nothing of the rest', async () => {
    expect(await mailOf({})).toEqual({
      subject: 'alarm: North plant: level (active)',
      lines: [
        'North plant (plant): level',
        'Alarm 3 is active. The level is unsafe.',
        'This is from 1970-01-01T00:00:05.000Z.',
      ],
    })
    const more = { priority: 'low', about: 'hot', rule: 'a above 5', raised: 4_000, comment: 'known', step: 2 } as const
    expect(await mailOf(more)).toEqual({
      subject: 'low: North plant: a above 5 (active)',
      lines: [
        'North plant (plant): a above 5',
        'Alarm 3 is active. The level is unsafe.',
        'It was raised at 1970-01-01T00:00:04.000Z.',
        'This is from 1970-01-01T00:00:05.000Z.',
        'Comment: known',
        'Nobody has acknowledged it: step 2 of the escalation.',
      ],
    })
    const { lines } = await mailOf({ step: 2, acknowledgedBy: 'eva' })
    expect(lines.slice(3)).toEqual(['eva has acknowledged it.'])
  })

  it('goes out with the password that is given, and on the usual ports', async () => {
    const { attempts, smtp } = await mailServer()
    await mailAlarm({ ...smtp, username: 'plant', password: 'secret' }, ['lead@plant.example'], message)
    await mailAlarm(smtp, ['lead@plant.example'], message)
    expect(attempts.all).toEqual(['plant:secret', undefined])
    const nobody = { host: '127.0.0.1', from: 'a@plant.example' }
    await expect(mailAlarm(nobody, ['b@plant.example'], message)).rejects.toThrow('127.0.0.1:587')
    await expect(mailAlarm({ ...nobody, secure: true }, ['b@plant.example'], message)).rejects.toThrow('127.0.0.1:465')
  })

  it('is given up when the mail server does not say a word', async () => {
    const silent = createSocketServer()
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const smtp = { host: '127.0.0.1', port, from: 'a@plant.example' }
    await expect(mailAlarm(smtp, ['b@plant.example'], message, 50)).rejects.toThrow(/Greeting never received|Timeout/)
  })
})
