import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Target } from './ingest.ts'

/** One kind of abuse: runs until `over`, and counts what it did. */
export type Abuse = (
  target: Target,
  systems: readonly string[],
  over: () => boolean,
  count: () => void,
) => Promise<void>

const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]

/** A socket that has sent the head of a request, and is done when it closes. */
function openSocket({ url }: Target, text: string): { socket: Socket; closed: Promise<void> } {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  socket.write(text)
  return { socket, closed }
}

const head = ({ url, token }: Target, path: string) =>
  `GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\nauthorization: Bearer ${token}\r\n`

/** Sends one byte of a request per second, and begins anew when it is cut off. */
const slowloris: Abuse = async (target, _systems, over, count) => {
  while (!over()) {
    const { socket, closed } = openSocket(target, 'GET /v1/systems HT')
    let gone = false
    void closed.then(() => (gone = true))
    while (!gone && !over()) {
      socket.write('T')
      await setTimeout(1_000)
    }
    socket.destroy()
    count()
  }
}

/** Asks for a lot and reads next to nothing of it. */
const greedyReader: Abuse = async (target, systems, over, count) => {
  while (!over()) {
    const path = `/v1/systems/${any(systems)}/${any(['samples?limit=5000', 'log?limit=1000', 'events?after=0'])}`
    const { socket } = openSocket(target, `${head(target, path)}\r\n`)
    socket.pause()
    await setTimeout(2_000 + 8_000 * Math.random())
    socket.destroy()
    count()
  }
}

/** Reads everything from the beginning, again and again. */
const catchUp: Abuse = async (target, systems, over, count) => {
  while (!over()) {
    const { socket, closed } = openSocket(target, `${head(target, `/v1/systems/${any(systems)}/events?after=0`)}\r\n`)
    socket.resume()
    await Promise.race([closed, setTimeout(5_000)])
    socket.destroy()
    count()
  }
}

/** Guesses tokens. */
const wrongToken: Abuse = async ({ url }, systems, over, count) => {
  while (!over()) {
    const headers = { authorization: `Bearer wrong-${Math.random()}` }
    await fetch(`${url}/v1/systems/${any(systems)}`, { headers }).then(
      (response) => response.text(),
      () => {},
    )
    count()
    await setTimeout(50)
  }
}

/** Lets the server replay old states, and goes away before half of them are there. */
const oldState: Abuse = async ({ url, token }, systems, over, count) => {
  while (!over()) {
    const headers = { authorization: `Bearer ${token}` }
    const signal = AbortSignal.timeout(200 + Math.floor(2_000 * Math.random()))
    const path = `/v1/systems/${any(systems)}/state?at=${1 + Math.floor(2_000 * Math.random())}`
    await fetch(url + path, { headers, signal })
      .then((response) => response.text())
      .catch(() => {})
    count()
    await setTimeout(500)
  }
}

/** Has the store copied. */
const backup: Abuse = async ({ url, token }, _systems, over, count) => {
  while (!over()) {
    const options = { method: 'POST', headers: { authorization: `Bearer ${token}` } }
    await fetch(`${url}/v1/backup`, options).then(
      (response) => response.text(),
      () => {},
    )
    count()
    for (let waited = 0; waited < 30 && !over(); waited++) await setTimeout(1_000)
  }
}

/** Sends what is no request, or none that makes sense. */
const nonsense: Abuse = async (target, systems, over, count) => {
  const bodies = ['{', '[]', '{"values":"x"}', '{"values":[1e999]}', '['.repeat(40_000), '{"values":[1]}']
  while (!over()) {
    const options = {
      ...{ method: 'POST', body: any(bodies) },
      headers: { 'content-type': 'application/json', authorization: `Bearer ${target.token}` },
    }
    await fetch(`${target.url}/v1/systems/${any(systems)}/samples`, options).then(
      (response) => response.text(),
      () => {},
    )
    const { socket } = openSocket(target, '\u0000\u0001nonsense\r\n\r\n')
    await setTimeout(100)
    socket.destroy()
    count()
  }
}

/** Everything at once, with how many of each. */
export const ABUSES: readonly { name: string; clients: number; abuse: Abuse }[] = [
  { name: 'slowloris', clients: 100, abuse: slowloris },
  { name: 'greedy readers', clients: 10, abuse: greedyReader },
  { name: 'catch-up readers', clients: 5, abuse: catchUp },
  { name: 'wrong tokens', clients: 3, abuse: wrongToken },
  { name: 'old states', clients: 3, abuse: oldState },
  { name: 'back-ups', clients: 1, abuse: backup },
  { name: 'nonsense', clients: 3, abuse: nonsense },
]
