import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AlarmMessage } from '@pb-oel/protocol'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { turningPlant } from '../testing/alarming-plant.ts'
import { AlarmOutbox, type SendAlarm } from './outbox.ts'
import { postAlarm } from './webhook.ts'

/** A plant whose clock stands still unless it is told to go on. */
async function stillPlant() {
  const plant = await turningPlant()
  /** Lets everything run that waits for no time. */
  const settled = async () => {
    for (let i = 0; i < 20; i++) await plant.clock.advance(0)
  }
  const turn = () => plant.turn().then(settled)
  return { ...plant, turn, settled }
}

/** An outbox that keeps what it sent; it begins to send after `hold`. */
function keeping({ service }: Awaited<ReturnType<typeof stillPlant>>, hold?: Promise<unknown>) {
  const sent: number[] = []
  const failures: string[] = []
  const outbox = new AlarmOutbox(service, 'hook', async ({ sequence }) => {
    await hold
    sent.push(sequence)
  })
  outbox.onFailure = ({ message }) => failures.push(message)
  return { outbox, sent, failures }
}

describe('an outbox of alarms', () => {
  it('tries again after 1, 2, 4, … and at most 300 seconds; what comes later waits; a restart sends what is left', async () => {
    const plant = await stillPlant()
    const { service, clock, turn, settled, changes } = plant
    const attempts: number[] = []
    const begun = clock.monotonic()
    let refuse = true
    const messages: AlarmMessage[] = []
    const first = new AlarmOutbox(service, 'hook', async (message) => {
      attempts.push((clock.monotonic() - begun) / 1000)
      if (refuse) throw new Error('not now')
      messages.push(message)
    })
    const failures: string[] = []
    first.onFailure = ({ message }) => failures.push(message)
    await first.start()
    await turn()
    await turn()
    for (let second = 0; second < 1_200; second++) await clock.advance(1_000)
    expect(attempts).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 811, 1_111])
    expect(failures).toEqual(attempts.map(() => 'not now'))
    refuse = false
    await clock.advance(300_000)
    await settled()
    expect(messages).toMatchObject([
      { system: 'plant', about: 'hot', rule: 'a above 5', status: 'active' },
      { status: 'returned' },
    ])
    await first.stop()
    await turn()
    const second = keeping(plant)
    await second.outbox.start()
    await settled()
    await turn()
    const all = await changes()
    expect([...messages.map(({ sequence }) => sequence), ...second.sent]).toEqual(all)
    expect(all.length).toBe(4)
    await second.outbox.stop()
  })

  it('ends at once: what is under way is ended and sent after the next start, and nothing more is taken', async () => {
    const plant = await stillPlant()
    const { service, turn, settled, changes } = plant
    let attempts = 0
    const never: SendAlarm = (_, signal) => {
      attempts++
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))))
    }
    const outbox = new AlarmOutbox(service, 'hook', never)
    const failures: Error[] = []
    outbox.onFailure = (error) => failures.push(error)
    await outbox.start()
    await turn()
    await turn()
    expect(attempts).toBe(1)
    await outbox.stop()
    await turn()
    service.drop('plant')
    await service.load('plant')
    await settled()
    expect([attempts, failures]).toEqual([1, []])
    const { outbox: next, sent } = keeping(plant)
    await next.start()
    await settled()
    await next.stop()
    expect(sent).toEqual(await changes())
  })

  it('sends what is left, page by page, before a change that comes meanwhile, also of a system that comes later', async () => {
    const plant = await stillPlant()
    const { log, service, turn, settled, changes } = plant
    await turn()
    await turn()
    const found = Promise.withResolvers<void>()
    const read = log.read.bind(log)
    log.read = async (system, query) => {
      const records = await read(system, { ...query, limit: 1 })
      if (query?.kinds?.includes('alarm')) await found.promise
      return records
    }
    service.drop('plant')
    const { outbox, sent, failures } = keeping(plant)
    await outbox.start()
    await service.load('plant')
    await turn()
    expect(sent).toEqual([])
    found.resolve()
    await settled()
    await outbox.stop()
    log.read = read
    expect([sent, failures]).toEqual([await changes(), []])
    expect(sent.length).toBe(3)
  })

  it('goes on when the log could not be read at first, and past a record that cannot be read at all', async () => {
    const plant = await stillPlant()
    const { log, clock, turn, settled, changes } = plant
    await turn()
    const [cursor, read] = [log.cursor.bind(log), log.read.bind(log)]
    let attempts = 0
    log.cursor = async (name) => {
      if (attempts++ < 2) throw new Error('the disk does not answer')
      return cursor(name)
    }
    const { outbox, sent, failures } = keeping(plant)
    await outbox.start()
    await settled()
    for (let second = 0; second < 3; second++) await clock.advance(1_000)
    await settled()
    expect(sent).toEqual(await changes())
    expect(failures).toEqual(['the disk does not answer', 'the disk does not answer'])
    await outbox.stop()
    await turn()
    log.read = async (...query) => (await read(...query)).map((record) => ({ ...record, body: '{' }))
    const next = keeping(plant)
    await next.outbox.start()
    await settled()
    expect([next.sent, next.failures.length]).toEqual([[], 1])
    await turn()
    log.read = read
    expect(next.sent).toEqual((await changes()).slice(-1))
    await next.outbox.stop()
    // Whoever still waits for the log when the outbox ends has failed at that, and at nothing else.
    log.cursor = () => Promise.reject(new Error('the disk does not answer'))
    const last = keeping(plant)
    await last.outbox.start()
    await settled()
    await last.outbox.stop()
    expect(last.failures).toEqual(['the disk does not answer'])
  })

  it('passes what its receiver does not want, once and for all; another receiver gets it', async () => {
    const plant = await stillPlant()
    const { turn, settled, changes } = plant
    const { outbox, sent } = keeping(plant)
    outbox.wants = ({ status }) => status === 'returned'
    await outbox.start()
    await turn()
    await turn()
    await outbox.stop()
    const next = keeping(plant)
    await next.outbox.start()
    await settled()
    await next.outbox.stop()
    expect([sent, next.sent]).toEqual([(await changes()).slice(1), []])
    const others: number[] = []
    const other = new AlarmOutbox(plant.service, 'other', async ({ sequence }) => void others.push(sequence))
    await other.start()
    await settled()
    await other.stop()
    expect(others).toEqual(await changes())
  })

  it('leaves no place behind for a system that was deleted while it sent, and sends no more of it', async () => {
    const plant = await stillPlant()
    const { log, service, turn, settled } = plant
    await turn()
    const going = Promise.withResolvers<void>()
    const { outbox, sent } = keeping(plant, going.promise)
    const moved: string[] = []
    const moveCursor = log.moveCursor.bind(log)
    log.moveCursor = (name, value) => {
      moved.push(name)
      return moveCursor(name, value)
    }
    await outbox.start()
    await settled()
    const read = log.read.bind(log)
    let looks = 0
    log.read = (...query) => {
      looks++
      return read(...query)
    }
    await service.remove('plant', 'test')
    looks = 0
    going.resolve()
    await settled()
    expect([sent.length, moved, looks]).toEqual([1, [], 0])
    await outbox.stop()
  })
})

it('a system that is deleted takes its places with it: one of its name has alarms of its own', async () => {
  const plant = await stillPlant()
  const { log, service, turn, settled } = plant
  const { outbox, sent } = keeping(plant)
  await outbox.start()
  for (let i = 0; i < 4; i++) await turn()
  expect(await log.cursor('alarms of plant to hook')).toBe(sent.at(-1))
  await service.remove('plant', 'test')
  expect(await log.cursor('alarms of plant to hook')).toBe(0)
  const alarms = { hot: { watch: 'range', channel: 'a', max: 5 } } as const
  await service.create('plant', { channels: ['a'], levels: ['safe', 'unsafe'], method: 'majority', alarms }, 'test')
  await service.sample('plant', { values: [9] }, 'test')
  await settled()
  // Right behind the first sample.
  expect(sent.slice(4)).toEqual([4])
  await outbox.stop()
})

describe('a webhook', () => {
  /** An address that answers with the given codes, one after the other. */
  async function receiver(codes: number[]) {
    const received: { type: unknown; signature: string; body: string; url: unknown }[] = []
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', () => {
        const { 'x-pb-oel-signature': signature, 'content-type': type } = request.headers
        received.push({ signature: String(signature), body, url: `${request.method} ${request.url}`, type })
        const code = codes.shift() ?? 200
        if (code > 0) response.writeHead(code, { location: '/elsewhere' }).end(code === 204 ? undefined : 'thanks')
      })
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    return { received, hook: { url: `http://127.0.0.1:${port}/alarm`, secret: 'sixteen letters!' } }
  }
  const message = { system: 'plant', number: 1, status: 'active' } as AlarmMessage

  it('is posted to, signed, and only 2xx is an answer', async () => {
    const { hook, received } = await receiver([500, 302, 204])
    const post = () => postAlarm(hook, message, 1_234_567, new AbortController().signal)
    await expect(post()).rejects.toThrow(`webhook ${new URL(hook.url).host} answered 500`)
    await expect(post()).rejects.toThrow()
    await post()
    await post()
    const body = JSON.stringify(message)
    const signature = `t=1234,v1=${createHmac('sha256', hook.secret).update(`1234.${body}`).digest('hex')}`
    expect(received).toEqual(
      Array.from({ length: 4 }, () => ({ url: 'POST /alarm', type: 'application/json', signature, body })),
    )
  })

  it('that does not answer is left when the server ends', async () => {
    const { hook } = await receiver([0])
    const aborter = new AbortController()
    const posted = postAlarm(hook, message, 0, aborter.signal)
    aborter.abort(new Error('ended'))
    await expect(posted).rejects.toThrow('ended')
  })

  it('that does not answer in ten seconds is given up, to be tried again', async () => {
    const { hook } = await receiver([0])
    // The ten seconds are over at once.
    const after = vi.spyOn(systemClock, 'after').mockImplementation((_, callback) => {
      const timer = setImmediate(callback)
      return () => clearImmediate(timer)
    })
    try {
      const posted = postAlarm(hook, message, 0, new AbortController().signal)
      expect(after.mock.calls.map(([wait]) => wait)).toEqual([10_000])
      await expect(posted).rejects.toThrow('no answer in 10000 ms')
    } finally {
      after.mockRestore()
    }
  })
})
