import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SqliteLogReader } from './log/sqlite-log.ts'
import { serve } from './serve.ts'
import { temporaryFolder } from './testing/folder.ts'
import { PLANT } from './testing/local-server.ts'
import { send } from './testing/requests.ts'
import { samplesMade } from './views/progress.ts'

it('a server that is asked to stop finishes what is under way, ends event streams, saves its states, and starts again at once', async () => {
  const store = join(temporaryFolder(), 'stop.db')
  const options = { store, port: 0, logLevel: 'silent' as const, systems: [PLANT] }
  const server = await serve(options)
  const url = `${server.url}/v1/systems/plant`
  const events = await fetch(`${url}/events`)
  const under = Array.from({ length: 40 }, (_, i) =>
    send(`${url}/samples`, 'POST', { values: [i, 1] }).catch(() => ({ status: 0 })),
  )
  await Promise.race(under)
  await server.stop()
  const acknowledged = (await Promise.all(under)).filter(({ status }) => status === 200).length
  // The stream of events ended and did not break.
  await events.text()

  const reader = await SqliteLogReader.openReader(store)
  const [last] = await reader.read('plant', { reverse: true, limit: 1 })
  await reader.close()
  expect(last.kind).toBe('snapshot')
  const again = await serve(options)
  await again.recovered
  expect(await again.service.get('plant').read(samplesMade())).toBeGreaterThanOrEqual(acknowledged)
  expect(acknowledged).toBeGreaterThan(0)
  // A configured system that exists is left as it is.
  expect(again.service.list().length).toBe(1)
  await again.stop()
})

it('a server that stops closes a connection that has asked for nothing, as browsers keep one, and does not wait for it', async () => {
  const server = await serve({ store: join(temporaryFolder(), 'unused.db'), port: 0, logLevel: 'silent' })
  const unused = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(unused, 'connect')
  // The server has taken it when it answers one that came later.
  await send(`${server.url}/v1/systems`, 'GET')
  const slow = connect(Number(new URL(server.url).port), '127.0.0.1')
  const head = ['POST /v1/systems HTTP/1.1', 'host: localhost', 'content-type: application/json', 'content-length: 2']
  slow.write(`${head.join('\r\n')}\r\nexpect: 100-continue\r\n\r\n`)
  // The server has read the head.
  await once(slow, 'data')
  const stopped = server.stop()
  await once(unused.resume(), 'close')
  // One that has asked is waited for.
  slow.write('{}')
  const [answer] = await once(slow, 'data')
  expect(String(answer)).toContain('HTTP/1.1 400')
  slow.destroy()
  await stopped
})
