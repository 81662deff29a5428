import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Config, readConfig } from './config.ts'
import { SetupError } from './errors.ts'
import { temporaryFolder } from './testing/folder.ts'

const file = join(temporaryFolder(), 'server.json')

function read(config: unknown): Config {
  writeFileSync(file, JSON.stringify(config))
  return readConfig(file)
}

const hook = (secret: string) => ({ url: 'https://hall', secret })
const smtp = { host: 'mail', from: 'a@b' }

/** What is just allowed beside what is not any more. */
const LIMITS: [right: object, wrong: object][] = [
  [{ port: 65_535 }, { port: 65_536 }],
  [{ webhooks: [hook('sixteen letters!')] }, { webhooks: [hook('fifteen letters')] }],
  [{ webhooks: [hook('sixteen letters!')] }, { webhooks: [{ ...hook('sixteen letters!'), url: 'ftp://hall' }] }],
  [{ receivers: { a: { email: ['a@b'] } } }, { receivers: { a: { email: [] } } }],
  [{ receivers: { a: { email: ['a@b'] } } }, { receivers: { a: { email: ['a@b', 'b c@d'] } } }],
  [{ receivers: { a: { mqtt: 'site/siren' } } }, { receivers: { a: { mqtt: 'site/#' } } }],
  [{ receivers: { a: { mqtt: 'x' } } }, { receivers: { a: { mqtt: 'x', email: ['a@b'] } } }],
  [{ receivers: { a: { mqtt: 'x' } } }, { receivers: { a: {} } }],
  [{ smtp }, { smtp: { ...smtp, from: 'nobody' } }],
  [{ retention: { records: 1_000 } }, { retention: { records: 999 } }],
  [{ backups: { keep: 1 } }, { backups: { keep: 0 } }],
  [{ backups: { everyHours: 500 } }, { backups: { everyHours: 501 } }],
  [{ backups: { everyHours: 0.01 } }, { backups: { everyHours: 0 } }],
  [{ snapshotEvery: 100 }, { snapshotEvery: 99 }],
  [{ threads: 0 }, { threads: -1 }],
  [{ threads: 256 }, { threads: 257 }],
  [{ origins: ['https://hmi.example'] }, { origins: ['https://hmi.example/'] }],
  [{ origins: ['http://hmi:80'] }, { origins: ['*'] }],
  [{ telemetry: { url: 'http://hall', share: 1 } }, { telemetry: { url: 'http://hall', share: 1.1 } }],
  [{ nats: { servers: 'nats://a', leaseSeconds: 1 } }, { nats: { servers: 'nats://a', leaseSeconds: 0.5 } }],
  [{ nats: { servers: 'nats://a', leaseSeconds: 300 } }, { nats: { servers: 'nats://a', leaseSeconds: 301 } }],
  [{ nats: { servers: 'nats://a', replicas: 5 } }, { nats: { servers: 'nats://a', replicas: 6 } }],
  [{ nats: { servers: 'nats://a', cluster: 'one' } }, { nats: { servers: 'nats://a', cluster: 'two words' } }],
  [{ limits: { idleSeconds: 0.5 } }, { limits: { idleSeconds: 0 } }],
  [{ limits: { connections: 1 } }, { limits: { connections: 0 } }],
  [{ limits: { connections: 1 } }, { limits: { conections: 1 } }],
  [{ logLevel: 'silent' }, { logLevel: 'none' }],
  [{ trustProxy: true }, { trustProxy: 'yes' }],
]

describe('a configuration file', () => {
  it.each(LIMITS)('takes %j and refuses %j', (right, wrong) => {
    expect(read(right)).toEqual(right)
    expect(() => read(wrong)).toThrow(SetupError)
  })
})
