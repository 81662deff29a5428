import type { AnswerReceipt, Problem, SystemDetail } from '@pb-oel/protocol'
import { deadline } from '../clock/clock.ts'
import type { ClusterNode } from '../cluster/cluster-node.ts'
import { BRIDGE_HEADER, HOP_HEADER } from '../cluster/forward.ts'
import { NotReady, ServiceError } from '../errors.ts'
import type { Service } from '../service/service.ts'
import { type Intake, localIntake, type TakenSample } from './intake.ts'

/** Bytes of entries in one body; a worker takes 1 MiB unless its configuration says otherwise. */
const BODY_BYTES = 400_000
/** Milliseconds until a worker must have answered. */
const PATIENCE = 10_000

/** The systems of a cluster: those of this worker directly, those of others over HTTP. */
export function clusterIntake(service: Service, node: ClusterNode, secret: string): Intake {
  const here = localIntake(service)
  const ask = async <T>(system: string, path: string, by: string, body?: readonly object[]): Promise<T> => {
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
  /** Posts entries in order, in as many bodies as they need; those behind a body that failed are not sent. */
  const post = async <T extends object>(system: string, path: string, by: string, entries: readonly object[]) => {
    const outcomes: (T | Error)[] = []
    for (let failure: Error | undefined; outcomes.length < entries.length; ) {
      const part = portion(entries, outcomes.length)
      const answer: (T | Problem)[] | Error =
        failure ?? (await ask<(T | Problem)[]>(system, path, by, part).catch((error: Error) => error))
      if (answer instanceof Error) failure = answer
      outcomes.push(...(answer instanceof Error ? part.map(() => answer) : answer.map(outcomeOf)))
    }
    return outcomes
  }
  return {
    channels: async (system) => {
      if (node.locate(system) === 'here') return here.channels(system)
      return (await ask<SystemDetail>(system, '', 'bridge')).configuration.channels
    },
    samples: async (system, samples, by) => {
      if (node.locate(system) === 'here') return here.samples(system, samples, by)
      return post<TakenSample>(system, '/samples', by, samples)
    },
    answers: async (system, answers, by) => {
      if (node.locate(system) === 'here') return here.answers(system, answers, by)
      return post<AnswerReceipt>(system, '/feedback', by, answers)
    },
  }
}

/** The entries from a place on that one body may hold: at least one. */
function portion(entries: readonly object[], from: number): readonly object[] {
  let end = from
  for (let bytes = 0; end < entries.length; end++) {
    bytes += Buffer.byteLength(JSON.stringify(entries[end]))
    if (bytes > BODY_BYTES && end > from) break
  }
  return entries.slice(from, end)
}

/** What another worker has made of an entry. */
function outcomeOf<T extends object>(result: T | Problem): T | ServiceError {
  return 'status' in result && 'type' in result ? errorOf(result as Problem) : (result as T)
}

/** The error that a problem tells of. */
function errorOf({ status, title, detail = title }: Problem): ServiceError {
  return new ServiceError(status, title, detail)
}
