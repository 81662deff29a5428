import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { expect, it } from 'vitest'
import { acknowledgement, Session } from './session.ts'

it('a session is kept by the broker without end, and a lost connection is made again ever later, up to half a minute', async () => {
  const losses: (string | undefined)[] = []
  const events = { onMessage: async () => {}, onConnect: () => {}, onLoss: (reason?: string) => losses.push(reason) }
  // The client of the library, which does not connect: what the session wants of it is of interest here.
  const connect = (url: string, options: IClientOptions): MqttClient =>
    mqtt.connect(url, { ...options, manualConnect: true })
  const who = { url: 'mqtt://broker:1883', clientId: 'boat', username: 'eva', password: 'secret' }
  const { client } = new Session(who, events, {}, connect)
  expect(client.options).toMatchObject({
    ...{
      clientId: 'boat',
      username: 'eva',
      password: 'secret',
      clean: false,
      protocolVersion: 5,
      reconnectPeriod: 500,
    },
    properties: { receiveMaximum: 65_535, sessionExpiryInterval: 0xffff_ffff },
  })
  const waits = Array.from({ length: 8 }, () => {
    client.emit('close')
    return client.options.reconnectPeriod
  })
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  client.emit('connect', {} as never)
  expect(client.options.reconnectPeriod).toBe(500)
  client.emit('error', new Error('not authorised'))
  expect(losses.at(-1)).toBe('not authorised')
})

it('an acknowledgement has the number of its message, the higher byte first', () => {
  expect([...acknowledgement(0x1234)]).toEqual([0x40, 2, 0x12, 0x34])
})
