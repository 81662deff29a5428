import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { type KV, Kvm } from '@nats-io/kv'
import { Objm } from '@nats-io/obj'
import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node'
import { type Clock, systemClock } from '../../clock/clock.ts'
import { SetupError } from '../../errors.ts'
import { type LeaderMessage, type MessageQuery, readFromLeader } from './leader-message.ts'
import { type Objects, quickPut } from './object-put.ts'
import { isPassing, patiently } from './patience.ts'

/** A connection to JetStream. */
export interface Nats {
  connection: NatsConnection
  js: JetStreamClient
  jsm: JetStreamManager
  /** What a client waits by. */
  clock: Clock
  /** A message as the leader of its stream has it; `undefined` when there is none. */
  message(stream: string, query: MessageQuery): Promise<LeaderMessage | undefined>
  /** Opens a bucket; with a number of replicas it is made when there is none. Reads go to the leader. */
  bucket(name: string, replicas?: number): Promise<KV>
  /** Opens an object store; with a number of replicas it is made when there is none. */
  objects(name: string, replicas?: number): Promise<Objects>
}

/** Makes a connection. */
export type ConnectNats = (servers: string, name?: string) => Promise<Nats>

/** Milliseconds after which a request is given up and made again. */
export const REQUEST_TIMEOUT = 2_000

/**
 * Connects to any of some servers and stays connected for as long as one of them lives.
 *
 * @param servers such as `nats://a:4222,nats://user:password@b:4222`; `tls://` asks for encryption
 */
export async function connectNats(servers: string, name = 'pb-oel'): Promise<Nats> {
  const options: NodeConnectionOptions = {
    ...{ name, timeout: 5_000, maxReconnectAttempts: -1, reconnectTimeWait: 200, reconnectJitter: 100 },
    // Leave a hanging server after 4 s instead of minutes.
    ...{ pingInterval: 2_000, maxPingOut: 2 },
    // Traces of where a request began cost a worker an eighth of its time.
    noAsyncTraces: true,
    ...parseServers(servers),
  }
  let connection: NatsConnection
  try {
    connection = await connect(options)
  } catch (error) {
    throw new SetupError(`${hidden(servers)}: no NATS server can be reached (${(error as Error).message})`)
  }
  try {
    const js = jetstream(connection, { timeout: REQUEST_TIMEOUT })
    const jsm = await jetstreamManager(connection, { timeout: REQUEST_TIMEOUT, checkAPI: false })
    // Servers without JetStream say so at once; those that elect a leader say nothing for a while.
    await patiently('JetStream', async () => {
      const refusal = await jsm.getAccountInfo().catch((error: Error) => error)
      if (refusal instanceof Error && !isPassing(refusal)) throw new SetupError(refusal.message)
      if (refusal instanceof Error && refusal.name === 'JetStreamNotEnabled') throw new SetupError('it is not enabled')
      if (refusal instanceof Error) throw refusal
    })
    const message = (stream: string, query: MessageQuery) => readFromLeader(connection, stream, query, REQUEST_TIMEOUT)
    return { connection, js, jsm, clock: systemClock, message, ...stores(js, jsm) }
  } catch (error) {
    await connection.close()
    throw new SetupError(`${hidden(servers)}: JetStream cannot be used (${(error as Error).message})`)
  }
}

function stores(js: JetStreamClient, jsm: JetStreamManager): Pick<Nats, 'bucket' | 'objects'> {
  const [buckets, objects] = [new Kvm(js), new Objm(js)]
  return {
    bucket: (name, replicas) =>
      replicas === undefined ? buckets.open(name) : buckets.create(name, { replicas, history: 1, allow_direct: false }),
    objects: async (name, replicas) =>
      quickPut(
        replicas === undefined ? await objects.open(name) : await objects.create(name, { replicas }),
        name,
        js,
        jsm,
      ),
  }
}

/** What is wrong with servers of a release; `undefined` when they can be trusted. */
export function weaknessOf(release: string): string | undefined {
  const [major, minor] = release.split('.').map(Number)
  if (major > 2 || (major === 2 && minor >= 11)) return undefined
  return `nats-server ${release} has been seen to lose acknowledged messages when servers fail again and again: use 2.11 or newer`
}

function parseServers(text: string): NodeConnectionOptions {
  const options: NodeConnectionOptions & { servers: string[] } = { servers: [] }
  for (const part of text.split(',').filter((part) => part.trim() !== '')) {
    const trimmed = part.trim()
    let url: URL
    try {
      url = new URL(trimmed.includes('://') ? trimmed : `nats://${trimmed}`)
    } catch {
      throw new SetupError(`${trimmed} is no address of a NATS server, such as nats://127.0.0.1:4222`)
    }
    if ((url.protocol !== 'nats:' && url.protocol !== 'tls:') || url.hostname === '') {
      throw new SetupError(`${hidden(trimmed)} is no address of a NATS server, such as nats://127.0.0.1:4222`)
    }
    if (url.protocol === 'tls:') options.tls = {}
    if (url.password !== '') {
      options.user = decodeURIComponent(url.username)
      options.pass = decodeURIComponent(url.password)
    } else if (url.username !== '') options.token = decodeURIComponent(url.username)
    options.servers.push(`${url.hostname}:${url.port || '4222'}`)
  }
  if (options.servers.length === 0) throw new SetupError('no NATS server is named, such as nats://127.0.0.1:4222')
  return options
}

/** An address without its password. */
function hidden(address: string): string {
  return address.replaceAll(/\/\/[^@/,]*@/g, '//')
}
