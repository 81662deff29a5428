import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { LogQuery } from '../log/event-log.ts'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { memoryApp } from '../testing/memory-app.ts'

const [SAMPLES, CHANNELS, PENDING] = [6_000, 300, 10]

/** A log that counts the records it was asked for. */
class CountingLog extends MemoryLog {
  records = 0

  override async read(system: string, query?: LogQuery) {
    const found = await super.read(system, query)
    this.records += found.length
    return found
  }
}

const log = new CountingLog()
const { app, service } = await memoryApp({ requestsPerSecond: 1e9 }, Date.now, log, {
  channels: Array.from({ length: CHANNELS }, (_, i) => `channel ${i}`),
  levels: ['safe', 'unsafe'],
  options: { experts: 1, groups: 1, nodes: 1, pending: PENDING },
  stale: null,
})
for (let done = 0; done < SAMPLES; done += 100) {
  const batch = Array.from({ length: 100 }, (_, i) =>
    Array.from({ length: CHANNELS }, (_, c) => Math.sin(done + i + c)),
  )
  await Promise.all(batch.map((values) => service.sample('plant', { values }, 'test')))
}
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo
afterAll(() => app.close())

/** Asks for the whole file and reads nothing of it yet. The file has more bytes than any socket takes in advance. */
function asked() {
  log.records = 0
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /v1/systems/plant/export?format=csv HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
  return socket
}

/** Resolves with the number of records that were read, once it stands still. */
async function standing(): Promise<number> {
  for (let before = -1; before !== log.records || before === 0; ) {
    before = log.records
    await setTimeout(300)
  }
  return log.records
}

describe('an export of any length', () => {
  it('reads the log only as far as its client reads the file', async () => {
    const socket = asked()
    const ahead = await standing()
    // Each sample is two records.
    expect(ahead).toBeLessThan(SAMPLES)
    let [rows, bytes] = [0, 0]
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      for (const byte of chunk) if (byte === 10) rows++
    })
    await once(socket, 'close')
    expect(log.records).toBeGreaterThanOrEqual(2 * SAMPLES)
    expect(rows).toBeGreaterThan(SAMPLES)
    expect(bytes).toBeGreaterThan(SAMPLES * CHANNELS * 10)
  })

  it('ends when its client goes away', async () => {
    const socket = asked()
    await standing()
    socket.destroy()
    expect(await standing()).toBeLessThan(SAMPLES)
    // Nothing of it is left that would hold up the end of the server.
    await app.close()
  })
})
