import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** Whether there is a broker to be started. */
export const HAS_BROKER = spawnSync('mosquitto', ['-h']).error === undefined

/** Starts a broker on loopback. */
export async function startBroker(folder: string, port: number): Promise<ChildProcess> {
  const file = join(folder, 'mosquitto.conf')
  writeFileSync(file, `listener ${port} 127.0.0.1\nallow_anonymous true\n`)
  const broker = spawn('mosquitto', ['-c', file], { stdio: 'ignore' })
  await setTimeout(500)
  return broker
}

/** Publishes payloads that are no samples, as packets of MQTT 3.1.1 (§3.1, §3.3) on a bare socket. */
export async function publishNonsense(port: number, topics: readonly string[], over: () => boolean, count: () => void) {
  const payloads = [
    '{',
    '[]',
    'null',
    '{"values":[1e999]}',
    `${'['.repeat(40_000)}`,
    '\u0000\u0001',
    '{"values":{}}',
    '',
  ]
  while (!over()) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.resume()
    const name = `nonsense-${Math.random()}`
    socket.write(packet(0x10, Buffer.concat([text('MQTT'), Buffer.from([4, 2, 0, 60]), text(name)])))
    for (let n = 0; n < 50 && !over(); n++) {
      const topic = topics[n % topics.length]
      socket.write(packet(0x30, Buffer.concat([text(topic), Buffer.from(payloads[n % payloads.length])])))
      count()
      await setTimeout(100)
    }
    socket.destroy()
  }
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}

function packet(kind: number, body: Buffer): Buffer {
  const length: number[] = []
  for (let rest = body.length; ; rest >>= 7) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest)
    if (rest <= 127) break
  }
  return Buffer.concat([Buffer.from([kind, ...length]), body])
}
