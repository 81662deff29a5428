import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { createSecureContext } from 'node:tls'
import { checkBridges } from '../bridges/check-bridges.ts'
import type { Config } from '../config.ts'
import { SetupError } from '../errors.ts'

/** Certificate and key, as Node takes them. */
export interface TlsFiles {
  cert: Buffer
  key: Buffer
}

const BROKER_PROTOCOLS = ['mqtt:', 'mqtts:', 'tcp:', 'tls:', 'ssl:', 'ws:', 'wss:']

/**
 * Finds the mistakes of a configuration before anything is opened, so that a failed start leaves the store and the
 * broker as they were. Returns the certificate, where there is one.
 */
export async function checkStart(options: Config, host: string, port: number): Promise<TlsFiles | undefined> {
  if (options.mqtt) checkBroker(options.mqtt.url)
  checkBridges(options.bridges ?? [], checkBroker)
  const { url: receiver = 'http://x' } = options.telemetry ?? {}
  if (!URL.canParse(receiver))
    throw new SetupError(`telemetry ${JSON.stringify(receiver)}: expected an http or https address`)
  for (const { url } of options.webhooks ?? []) {
    if (!URL.canParse(url)) throw new SetupError(`webhook ${JSON.stringify(url)}: expected an http or https address`)
  }
  checkReceivers(options)
  const files = options.tls && readTls(options.tls)
  await checkAddress(host, port)
  return files
}

function checkReceivers({ receivers = {}, smtp, mqtt, webhooks = [] }: Config): void {
  if (smtp?.username !== undefined && !smtp.password) throw new SetupError('smtp.username needs smtp.password')
  for (const [name, { email, mqtt: topic }] of Object.entries(receivers)) {
    if (email && !smtp) throw new SetupError(`receiver ${name}: mail needs smtp, the server that takes it`)
    if (topic !== undefined && !mqtt) throw new SetupError(`receiver ${name}: a topic needs mqtt, the broker`)
    // Each has a place of its own in the log, known by the name.
    if (name === 'mqtt' || webhooks.some(({ url }) => url === name))
      throw new SetupError(`receiver ${name}: the name is taken`)
  }
}

function checkBroker(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed && BROKER_PROTOCOLS.includes(parsed.protocol) && parsed.hostname !== '') return
  throw new SetupError(`mqtt ${JSON.stringify(withoutPassword(url))}: expected an address such as mqtt://broker:1883`)
}

function withoutPassword(url: string): string {
  return url.replace(/:[^:@/]*@/, ':…@')
}

function readTls({ cert, key }: { cert: string; key: string }): TlsFiles {
  const files = { cert: readPem(cert), key: readPem(key) }
  try {
    createSecureContext(files)
  } catch (error) {
    throw new SetupError(`${cert} and ${key} are not a certificate and its key in PEM (${(error as Error).message})`)
  }
  return files
}

function readPem(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new SetupError(`${file}: ${(error as Error).message}`)
  }
}

/** Listens for a moment. The real server may still find the port taken later, and says the same then. */
async function checkAddress(host: string, port: number): Promise<void> {
  const probe = createServer()
  await new Promise<void>((done, fail) => {
    probe.once('error', (error) => fail(addressError(error, host, port)))
    probe.listen(port, host, done)
  })
  await new Promise((done) => probe.close(done))
}

/** The error of a server that could not listen, in words; any other error as it is. */
export function addressError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `port ${port} of ${host} is in use: stop the other program or choose another port`,
    EACCES: `port ${port} of ${host} may not be used by this user: choose one from 1024 on`,
    EADDRNOTAVAIL: `${host} is no address of this machine`,
    ENOTFOUND: `${host} is no known host`,
    EAI_AGAIN: `${host} is no known host`,
  }
  const reason = reasons[error.code ?? '']
  return reason === undefined ? error : new SetupError(reason)
}
