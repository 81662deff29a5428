import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { Static, TSchema } from '@sinclair/typebox'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, FastifyTypeProvider, RawServerDefault } from 'fastify'
import type { Tokens } from '../auth/tokens.ts'
import type { Backups } from '../backup/backups.ts'
import type { ClusterNode } from '../cluster/cluster-node.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Reading } from '../reading/reading.ts'
import type { Service } from '../service/service.ts'
import type { OwnedSimulation } from '../simulate/owned-simulation.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

/** What routes work with. */
export interface Context {
  service: Service
  /** Reads the past without holding up the present. */
  reading: Reading
  tokens: Tokens
  metrics: Metrics
  /** Present when the server simulates. */
  simulation?: OwnedSimulation
  /** Present when the server is a worker of a cluster. */
  cluster?: { node: ClusterNode; secret: string }
  backups: Backups
  /** Present when traces and log lines are sent elsewhere. */
  telemetry?: Telemetry
  /** True from the moment the server is asked to stop. */
  stopping: () => boolean
  /** The event streams open now. */
  streams: Set<Writable>
  /** Most of them at once. */
  maxStreams: number
  /** Origins of other pages that may use the API. */
  origins?: readonly string[]
}

/** Gives handlers the types of their schemas. */
export interface SchemaTypes extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

/** The application with typed schemas. */
export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, SchemaTypes>

/** The name to record: the token's; on an open local server the one that the caller gives. */
export function author(request: FastifyRequest, said?: string): string {
  const { name, bridge } = request.principal
  return (name === 'local' || bridge) && said !== undefined ? said : name
}
