import { describe, expect, it } from 'vitest'
import type { Config } from '../config.ts'
import { SetupError } from '../errors.ts'
import { checkStart } from './start-checks.ts'

const start = (options: Config) => checkStart(options, '127.0.0.1', 0)

describe('a start is refused', () => {
  it('where the address of a broker is none, without telling its password', async () => {
    for (const url of ['http://eva:geheim@broker:1883', 'mqtt://', 'broker:1883', 'mqtt://eva:geheim@']) {
      const error = await start({ mqtt: { url } }).catch((error: Error) => error)
      expect(error).toBeInstanceOf(SetupError)
      expect((error as Error).message).toContain('expected an address such as mqtt://broker:1883')
      expect((error as Error).message).not.toContain('geheim')
    }
    for (const scheme of ['mqtt', 'mqtts', 'tcp', 'tls', 'ssl', 'ws', 'wss']) {
      expect(await start({ mqtt: { url: `${scheme}://eva:geheim@broker:1883` } })).toBeUndefined()
    }
  })

  it('where two receivers of alarms would share a place in the log, or one cannot be told', async () => {
    const hook = { url: 'http://hall:80/', secret: 'sixteen letters!' }
    const mqtt = { url: 'mqtt://broker:1883' }
    await expect(start({ webhooks: [hook], receivers: { [hook.url]: { webhook: hook } } })).rejects.toThrow('is taken')
    await expect(start({ receivers: { mqtt: { webhook: hook } } })).rejects.toThrow('receiver mqtt: the name is taken')
    await expect(start({ receivers: { desk: { email: ['a@b'] } } })).rejects.toThrow('receiver desk: mail needs smtp')
    await expect(start({ receivers: { siren: { mqtt: 'siren' } } })).rejects.toThrow('siren: a topic needs mqtt')
    const receivers = { lead: { webhook: hook }, siren: { mqtt: 'siren' } }
    expect(await start({ webhooks: [hook], mqtt, receivers })).toBeUndefined()
    await expect(start({ webhooks: [{ ...hook, url: 'http://' }] })).rejects.toThrow('webhook "http://": expected')
    await expect(start({ telemetry: { url: 'http://' } })).rejects.toThrow('telemetry "http://": expected')
  })
})
