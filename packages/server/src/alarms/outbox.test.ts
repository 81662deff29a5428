import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { Service } from '../service/service.ts'
import { AlarmOutbox } from './outbox.ts'
import { postAlarm } from './webhook.ts'

async function alarmingService() {
  const log = new MemoryLog()
  const service = await Service.open(log)
  await service.create('plant', { channels: ['a'], levels: ['safe', 'unsafe'], method: 'majority' }, 'test')
  let samples = 0
  /** A sample, then the label that makes `majority` say `level` from then on. */
  const turn = async (level: number) => {
    for (let i = 0; i < 50; i++) {
      const { assessment } = await service.sample('plant', { values: [samples++] }, 'test')
      await service.feedback('plant', { assessment, kind: 'label', level }, 'test')
    }
  }
  return { log, service, turn }
}

const until = (done: () => boolean) => expect.poll(done, { interval: 10 }).toBe(true)

describe('an outbox of alarms', () => {
  it('sends each change in order, again until accepted, and after a restart only what is left', async () => {
    const { service, turn } = await alarmingService()
    const sent: number[] = []
    let failures = 0
    let refuse = true
    const send = async ({ sequence }: { sequence: number }) => {
      if (refuse) throw new Error('not now')
      sent.push(sequence)
    }
    const first = new AlarmOutbox(service, 'hook', send, 0.01)
    first.onFailure = () => failures++
    await first.start()
    await turn(1)
    await until(() => failures >= 3)
    expect(sent).toEqual([])
    refuse = false
    await until(() => sent.length === 1)
    await first.stop()
    for (let i = 0; i < 3; i++) await turn(i % 2)
    const second = new AlarmOutbox(service, 'hook', send, 0.01)
    await second.start()
    const alarms = await service.log.read('plant', { kinds: ['alarm'] })
    expect(alarms.length).toBeGreaterThan(1)
    await until(() => sent.length === alarms.length)
    expect(sent).toEqual(alarms.map(({ sequence }) => sequence))
    await second.stop()
    const third = new AlarmOutbox(service, 'hook', send, 0.01)
    await third.start()
    await third.stop()
    expect(sent.length).toBe(alarms.length)
  })

  it('a change that was under way when the server ended is sent after the next start', async () => {
    const { service, turn } = await alarmingService()
    let attempts = 0
    const never = (_: unknown, signal: AbortSignal) => {
      attempts++
      return new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))))
    }
    const first = new AlarmOutbox(service, 'hook', never, 0.01)
    await first.start()
    await turn(1)
    await until(() => attempts === 1)
    await first.stop()
    const sent: number[] = []
    const second = new AlarmOutbox(service, 'hook', async ({ sequence }) => void sent.push(sequence), 0.01)
    await second.start()
    const [{ sequence }] = await service.log.read('plant', { kinds: ['alarm'] })
    await until(() => sent.length > 0)
    await second.stop()
    expect(sent[0]).toBe(sequence)
  })

  it('sends what is left before a change that comes while it is still looking for it', async () => {
    const { log, service, turn } = await alarmingService()
    await turn(1)
    const found = Promise.withResolvers<void>()
    const read = log.read.bind(log)
    log.read = async (system, query) => {
      const records = await read(system, query)
      if (query?.kinds?.includes('alarm')) await found.promise
      return records
    }
    const sent: number[] = []
    const outbox = new AlarmOutbox(service, 'hook', async ({ sequence }) => void sent.push(sequence), 0.01)
    const started = outbox.start()
    await turn(0)
    await turn(0)
    const alarms = await read('plant', { kinds: ['alarm'] })
    expect(alarms.length).toBe(2)
    found.resolve()
    await started
    await until(() => sent.includes(alarms[1].sequence))
    await outbox.stop()
    expect(sent).toEqual(alarms.map(({ sequence }) => sequence))
  })

  it('goes on with what is left when the log could not be read at first', async () => {
    const { log, service, turn } = await alarmingService()
    await turn(1)
    const [{ sequence }] = await log.read('plant', { kinds: ['alarm'] })
    const cursor = log.cursor.bind(log)
    let attempts = 0
    log.cursor = async (name) => {
      if (attempts++ < 2) throw new Error('the disk does not answer')
      return cursor(name)
    }
    const sent: number[] = []
    const outbox = new AlarmOutbox(service, 'hook', async ({ sequence }) => void sent.push(sequence), 0.01)
    await outbox.start().catch(() => {})
    await until(() => sent.length > 0)
    await outbox.stop()
    expect(sent).toEqual([sequence])
  })

  it('posts to a webhook, signed, and takes only 2xx as an answer', async () => {
    const { service, turn } = await alarmingService()
    const received: { signature: string; body: string }[] = []
    const receiver = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', () => {
        received.push({ signature: String(request.headers['x-pb-oel-signature']), body })
        response.writeHead([500, 302, 204][received.length - 1] ?? 204, { location: '/elsewhere' }).end()
      })
    })
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
    onTestFinished(() => void receiver.close())
    const hook = {
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/alarm`,
      secret: 'sixteen letters!',
    }
    const outbox = new AlarmOutbox(
      service,
      hook.url,
      (message, signal) => postAlarm(hook, message, service.clock(), signal),
      0.01,
    )
    await outbox.start()
    await turn(1)
    await until(() => received.length === 3)
    await outbox.stop()
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    const [{ signature, body }] = received
    expect(JSON.parse(body)).toMatchObject({
      system: 'plant',
      number: 1,
      status: 'active',
      level: 1,
      levelName: 'unsafe',
    })
    const [, seconds, hex] = signature.match(/^t=(\d+),v1=([0-9a-f]{64})$/) ?? []
    expect(createHmac('sha256', hook.secret).update(`${seconds}.${body}`).digest('hex')).toBe(hex)
  })
})
