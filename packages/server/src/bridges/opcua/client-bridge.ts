import type { OpcUaClient } from '@pb-oel/protocol'
import type { ClientSession, DataValue, OPCUAClient, UserIdentityInfo } from 'node-opcua-client'
import { SetupError } from '../../errors.ts'
import type { Bridge, BridgeContext } from '../bridge.ts'
import { BridgedSystems } from '../bridged-systems.ts'
import { retrying } from '../retrying.ts'
import { loadOpcUa, type OpcUa } from './library.ts'
import { findVariables, type Variable } from './variables.ts'

/** Milliseconds between two looks of the server at a variable, unless said otherwise. */
const SAMPLING = 500
/** Milliseconds between two signs of life of a subscription, and after how long without one it counts as lost. */
const [SIGN_OF_LIFE, SILENCE] = [2_000, 15_000]
/** Values of a variable that the server keeps for us between two messages. */
const QUEUE = 100

/** Opens a client. Each connection begins anew: it looks for the variables, subscribes, and lasts until it is lost. */
export async function openOpcUa(options: OpcUaClient, context: BridgeContext): Promise<Bridge> {
  const client = new Client(options, context, await loadOpcUa())
  return retrying(
    context,
    (begun, signal) => client.connection(begun, signal),
    () => client.end(),
  )
}

class Client {
  private readonly options: OpcUaClient
  private readonly context: BridgeContext
  private readonly library: OpcUa
  private readonly Certificates: Awaited<ReturnType<typeof loadOpcUa>>['OPCUACertificateManager']
  private readonly systems: BridgedSystems

  constructor(options: OpcUaClient, context: BridgeContext, loaded: Awaited<ReturnType<typeof loadOpcUa>>) {
    this.options = options
    this.context = context
    this.library = loaded.library
    this.Certificates = loaded.OPCUACertificateManager
    const { sampling = SAMPLING, join } = options
    // A server tells changes only; as long as it lives, what it said last holds.
    this.systems = new BridgedSystems({ by: 'latest', every: 2 * sampling, ...join }, context)
  }

  end(): void {
    this.systems.end()
  }

  /** One connection from its beginning to its loss, which it rejects with. */
  async connection(begun: () => void, signal: AbortSignal): Promise<void> {
    const client = await this.client()
    const lost = this.lossOf(client, signal)
    let variables: Variable[] = []
    try {
      await Promise.race([client.connect(this.options.url), lost.promise])
      const session = await client.createSession(this.identity)
      variables = await findVariables(this.library, session, this.options.rules)
      await this.subscribe(session, variables, lost)
      begun()
      await lost.promise
    } catch (error) {
      throw this.explained(error as Error)
    } finally {
      lost.forget()
      await Promise.all(variables.map(({ system, channel }) => this.systems.lose(system, [channel])))
      await client.disconnect().catch(() => {})
    }
  }

  private async client(): Promise<OPCUAClient> {
    const { OPCUAClient, MessageSecurityMode, SecurityPolicy } = this.library
    const { policy = 'Basic256Sha256', folder = './pb-oel-opcua', trustFirst = false } = this.options
    const { mode = policy === 'None' ? 'None' : 'SignAndEncrypt' } = this.options
    const certificates = new this.Certificates({
      rootFolder: folder,
      automaticallyAcceptUnknownCertificate: trustFirst,
    })
    await certificates.initialize()
    return OPCUAClient.create({
      applicationName: 'pb-oel',
      clientCertificateManager: certificates,
      securityMode: MessageSecurityMode[mode],
      securityPolicy: SecurityPolicy[policy],
      // An address of the server may have another name inside the plant.
      endpointMustExist: false,
      keepSessionAlive: true,
      connectionStrategy: { maxRetry: 0 },
    })
  }

  private get identity(): UserIdentityInfo {
    const { username, password = '' } = this.options
    const { UserTokenType } = this.library
    return username === undefined
      ? { type: UserTokenType.Anonymous }
      : { type: UserTokenType.UserName, userName: username, password }
  }

  /** Rejects when the connection is lost, the server is silent for too long, or the bridge ends. */
  private lossOf(client: OPCUAClient, signal: AbortSignal) {
    const { promise, reject } = Promise.withResolvers<never>()
    // Nobody may be waiting at the moment.
    promise.catch(() => {})
    const { clock } = this.context
    let heard = clock.monotonic()
    const lose = (reason: string) => reject(new Error(reason))
    const stopLooking = clock.every(1_000, () => {
      if (clock.monotonic() - heard > SILENCE) lose(`no sign of life for ${SILENCE / 1_000} s`)
    })
    client.on('connection_lost', () => lose('the connection is lost'))
    client.on('close', () => lose('the connection is closed'))
    const ended = () => lose('the bridge ends')
    signal.addEventListener('abort', ended)
    const forget = () => {
      stopLooking()
      signal.removeEventListener('abort', ended)
    }
    const alive = () => {
      heard = clock.monotonic()
    }
    return { promise, lose, alive, forget }
  }

  private async subscribe(
    session: ClientSession,
    variables: Variable[],
    lost: ReturnType<Client['lossOf']>,
  ): Promise<void> {
    const { sampling = SAMPLING } = this.options
    const { AttributeIds, TimestampsToReturn } = this.library
    const subscription = await session.createSubscription2({
      requestedPublishingInterval: sampling,
      requestedMaxKeepAliveCount: Math.max(1, Math.round(SIGN_OF_LIFE / sampling)),
      requestedLifetimeCount: 100,
      publishingEnabled: true,
    })
    subscription.on('keepalive', lost.alive)
    subscription.on('received_notifications', lost.alive)
    subscription.on('terminated', () => lost.lose('the subscription has ended'))
    session.on('session_closed', () => lost.lose('the session has ended'))
    const items = variables.map(({ node }) => ({ nodeId: node, attributeId: AttributeIds.Value }))
    const parameters = { samplingInterval: sampling, queueSize: QUEUE, discardOldest: true }
    const group = await subscription.monitorItems(items, parameters, TimestampsToReturn.Both)
    group.on('changed', (_item, value, index) => this.changed(variables[index], value))
  }

  private changed({ system, channel }: Variable, { value, statusCode, sourceTimestamp }: DataValue): void {
    const number = numberOf(this.library, value)
    // Only what the server calls good is a reading: uncertain and bad values are missing, and the sample degraded.
    const reading = statusCode.isGood() && Number.isFinite(number) ? number : null
    const at = sourceTimestamp?.getTime()
    void this.systems.add(system, { values: { [channel]: reading }, ...(at !== undefined && at >= 0 && { at }) })
  }

  private explained(error: Error): Error {
    if (!error.message.includes('BadCertificateUntrusted')) return error
    const { folder = './pb-oel-opcua' } = this.options
    const places = `from ${folder}/rejected to ${folder}/trusted/certs`
    return new SetupError(`the server's certificate is not trusted: move it ${places}, or set trustFirst`)
  }
}

/** The number of a variable, NaN where it is none. Numbers of 64 bits come as two halves, the higher first. */
function numberOf({ DataType }: OpcUa, { value, dataType }: DataValue['value']): number {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (dataType === DataType.Int64 || dataType === DataType.UInt64) {
    const [high, low] = value as [number, number]
    const whole = (BigInt(high) << 32n) + BigInt(low)
    return Number(dataType === DataType.Int64 ? BigInt.asIntN(64, whole) : whole)
  }
  return typeof value === 'number' ? value : Number.NaN
}
