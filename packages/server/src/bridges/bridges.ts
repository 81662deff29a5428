import type { BridgeRule } from '@pb-oel/protocol'
import type { Clock } from '../clock/clock.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Bridge, BridgeContext } from './bridge.ts'
import type { Intake } from './intake.ts'

/** Lines about one bridge in a minute, at most. */
const MOST_LINES = 20
/** Milliseconds between attempts to open a bridge. */
const RETRY = 5_000

/** What the bridges of a server share. */
export interface BridgesContext {
  intake: Intake
  clock: Clock
  metrics: Metrics
  telemetry?: Telemetry
  note: (fields: object, text: string) => void
  warn: (fields: object, text: string) => void
}

/** The bridges of a server: each runs while this server owns it. */
export class Bridges {
  private readonly rules: ReadonlyMap<string, BridgeRule>
  private readonly context: BridgesContext
  private readonly running = new Map<string, { stop: () => Promise<void> }>()

  constructor(rules: readonly BridgeRule[], context: BridgesContext) {
    this.rules = new Map(rules.map((rule) => [nameOf(rule), rule]))
    this.context = context
  }

  get names(): string[] {
    return [...this.rules.keys()]
  }

  /** Begins with a bridge. Until its source can be reached it is tried again and again. */
  start(name: string): void {
    if (this.running.has(name)) return
    const ending = new AbortController()
    const opened = this.open(this.rules.get(name) as BridgeRule, ending.signal)
    this.context.note({ bridge: name }, 'a bridge begins')
    const stop = async () => {
      ending.abort()
      await (await opened)?.stop()
    }
    this.running.set(name, { stop })
  }

  async stop(name: string): Promise<void> {
    const bridge = this.running.get(name)
    if (!bridge) return
    this.running.delete(name)
    await bridge.stop()
    this.context.metrics.bridgeGone(name)
    this.context.note({ bridge: name }, 'a bridge has ended')
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.names.map((name) => this.stop(name)))
  }

  private async open(rule: BridgeRule, signal: AbortSignal): Promise<Bridge | undefined> {
    const context = this.contextOf(nameOf(rule))
    while (!signal.aborted) {
      try {
        return await OPENERS[rule.kind](rule as never, context)
      } catch (error) {
        context.connected(false, (error as Error).message)
        await this.context.clock.pause(RETRY, signal)
      }
    }
    return undefined
  }

  /** The intake, with a span for each batch of samples. */
  private traced(name: string): Intake {
    const { intake, clock, telemetry } = this.context
    if (!telemetry) return intake
    return {
      channels: intake.channels,
      answers: intake.answers,
      samples: async (system, samples, by) => {
        const begin = clock.monotonic()
        const told = { name: `bridge ${name}`, kind: 'consumer' as const }
        const attributes = { 'pb_oel.system': system, 'pb_oel.samples': samples.length }
        let failed = true
        try {
          const taken = await intake.samples(system, samples, by)
          failed = taken.some((outcome) => outcome instanceof Error)
          return taken
        } finally {
          telemetry.span({ ...told, attributes, failed }, clock.monotonic() - begin)
        }
      },
    }
  }

  private contextOf(name: string): BridgeContext {
    const { clock, metrics, note, warn } = this.context
    const intake = this.traced(name)
    let [minute, lines] = [0, 0]
    let was: boolean | undefined
    const limited = (fields: object, text: string) => {
      const now = Math.floor(clock.monotonic() / 60_000)
      if (now !== minute) [minute, lines] = [now, 0]
      if (++lines < MOST_LINES) warn({ bridge: name, ...fields }, text)
      else if (lines === MOST_LINES) warn({ bridge: name }, 'more lines about this bridge are left out for a minute')
    }
    return {
      ...{ name, intake, clock, warn: limited },
      waiting: (change) => metrics.bridgeWaiting(name, change),
      count: (outcome, number) => metrics.bridge(name, outcome, number),
      connected: (connected, reason) => {
        metrics.bridgeConnected(name, connected)
        if (reason !== undefined) limited({ reason }, 'the source cannot be reached; trying again')
        else if (connected !== was) note({ bridge: name, connected }, 'bridge')
        was = connected
      },
    }
  }
}

/** Opens a bridge of a kind. What a kind needs beyond the server itself is loaded only then. */
const OPENERS: { [K in BridgeRule['kind']]: (rule: never, context: BridgeContext) => Promise<Bridge> } = {
  mqtt: async (rule, context) => (await import('./mqtt/mapping-bridge.ts')).openMqttMapping(rule, context),
  opcua: async (rule, context) => (await import('./opcua/client-bridge.ts')).openOpcUa(rule, context),
  kafka: async (rule, context) => (await import('./kafka/consumer-bridge.ts')).openKafka(rule, context),
  sparkplug: async (rule, context) => (await import('./sparkplug/host-bridge.ts')).openSparkplug(rule, context),
}

/** What a bridge is called. */
export function nameOf({ name, kind }: BridgeRule): string {
  return name ?? kind
}
