import { Bridges } from '../bridges/bridges.ts'
import { clusterIntake } from '../bridges/cluster-intake.ts'
import { localIntake } from '../bridges/intake.ts'
import type { Cluster } from '../cluster/open-cluster.ts'
import type { Owned } from '../cluster/owned.ts'
import type { App } from '../http/context.ts'
import type { Parts } from './parts.ts'

/** Makes what brings samples in from elsewhere; nothing of it runs yet. */
export async function makeBridges(parts: Parts, app: App, cluster: Cluster | undefined): Promise<void> {
  const { options, service, metrics, telemetry, note, warn } = parts
  const intake = cluster ? clusterIntake(service, cluster.node, cluster.secret) : localIntake(service)
  const { clock } = service.time
  parts.bridges = new Bridges(options.bridges ?? [], { intake, clock, metrics, telemetry, note, warn })
  if (!options.mqtt) return
  const { Broker } = await import('../mqtt/broker.ts')
  parts.broker = new Broker({ intake, clock, metrics }, options.mqtt, {
    onChange: (connected, reason) => {
      if (reason === undefined) app.log.info({ connected }, 'mqtt')
      else app.log.warn({ reason }, 'mqtt: the broker cannot be reached; trying again')
    },
    onFailure: (error) => app.log.error({ reason: error.message }, 'messages stay with the broker'),
    onDefect: (error) => app.log.error(error, 'a message could not be handled'),
  })
}

/** What one worker of a cluster has at a time: each bridge, the messages of the broker, each simulated system. */
export function ownedOf({ bridges, broker, simulation }: Parts): Owned[] {
  return [
    ...(bridges?.names ?? []).map((name) => ({
      name: `bridge ${name}`,
      start: () => bridges?.start(name),
      stop: () => bridges?.stop(name),
    })),
    ...(broker ? [{ name: 'mqtt', start: () => broker.start(), stop: () => broker.stop() }] : []),
    ...(simulation?.systems ?? []).map((name) => ({
      name,
      start: () => simulation?.start(name),
      stop: () => simulation?.stop(name),
    })),
  ]
}
