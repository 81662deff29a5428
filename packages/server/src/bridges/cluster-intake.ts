import type { Problem, SystemDetail } from '@pb-oel/protocol'
import { deadline } from '../clock/clock.ts'
import type { ClusterNode } from '../cluster/cluster-node.ts'
import { BRIDGE_HEADER, HOP_HEADER } from '../cluster/forward.ts'
import { NotReady, ServiceError } from '../errors.ts'
import type { Service } from '../service/service.ts'
import { type Intake, localIntake, type Taken } from './intake.ts'

/** Milliseconds until a worker must have answered. */
const PATIENCE = 10_000

/** The systems of a cluster: those of this worker directly, those of others over HTTP. */
export function clusterIntake(service: Service, node: ClusterNode, secret: string): Intake {
  const here = localIntake(service)
  const ask = async <T>(system: string, path: string, by: string, body?: object): Promise<T> => {
    const location = node.locate(system)
    if (location === undefined || location === 'here') {
      node.lookAgain()
      throw new NotReady(`no worker has system ${system} at this moment`)
    }
    const request = fetch(new URL(`/v1/systems/${encodeURIComponent(system)}${path}`, location.url), {
      headers: { [HOP_HEADER]: secret, [BRIDGE_HEADER]: by, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      signal: deadline(service.time.clock, PATIENCE),
    })
    const response = await request.catch((error: Error) => {
      node.lookAgain()
      throw new NotReady(`the worker that has system ${system} cannot be reached (${error.message})`)
    })
    const answer = await response.json()
    if (!response.ok) throw errorOf(answer as Problem)
    return answer as T
  }
  return {
    channels: async (system) => {
      if (node.locate(system) === 'here') return here.channels(system)
      return (await ask<SystemDetail>(system, '', 'bridge')).configuration.channels
    },
    samples: async (system, samples, by) => {
      if (node.locate(system) === 'here') return here.samples(system, samples, by)
      const results = await ask<({ repeated?: true } | Problem)[]>(system, '/samples', by, [...samples])
      return results.map((result): Taken => {
        if ('status' in result) return errorOf(result)
        return (result as { repeated?: true }).repeated ? 'repeated' : 'accepted'
      })
    },
  }
}

/** The error that a problem tells of. */
function errorOf({ status, title, detail = title }: Problem): ServiceError {
  return new ServiceError(status, title, detail)
}
