/** Who owns a shard, since when. */
interface ShardLease {
  /** Session of the worker. */
  owner: string
  /** Fencing token: rises with every change of hands. */
  token: number
}

/** The one document that says which workers there are and who owns what. It is replaced at its latest revision only. */
export interface Assignment {
  /** Number of changes so far. */
  term: number
  /** Addresses of the workers by session. */
  workers: Record<string, string>
  shards: (ShardLease | null)[]
}

/** How many others a worker watches. */
const WATCHED = 8

/** The document before the first worker came. */
export function noAssignment(shards: number): Assignment {
  return { term: 0, workers: {}, shards: Array.from({ length: shards }, () => null) }
}

/** Adds a worker and removes the dead ones, whose shards become free. May return the same document. */
export function enrol(current: Assignment, session: string, url: string, dead: ReadonlySet<string>): Assignment {
  const gone = Object.keys(current.workers).filter((worker) => worker !== session && dead.has(worker))
  if (gone.length === 0 && current.workers[session] === url) return current
  const workers = { ...current.workers, [session]: url }
  for (const worker of gone) delete workers[worker]
  return { term: current.term + 1, workers, shards: current.shards.map((lease) => keepKnown(lease, workers)) }
}

/** Gives a worker as many free shards as its share has room for. */
export function claim(current: Assignment, session: string): Assignment {
  let room = shareOf(current, session) - owned(current, session).length
  const token = current.term + 1
  const shards = current.shards.map((lease) => {
    if (lease !== null || room <= 0) return lease
    room--
    return { owner: session, token }
  })
  return shards.some((lease, shard) => lease !== current.shards[shard]) ? { ...current, term: token, shards } : current
}

/** Takes shards back from a worker. */
export function release(current: Assignment, session: string, shards: ReadonlySet<number>): Assignment {
  const rest = current.shards.map((lease, shard) => (shards.has(shard) && lease?.owner === session ? null : lease))
  return { ...current, term: current.term + 1, shards: rest }
}

/** Removes a worker for good. */
export function leave(current: Assignment, session: string): Assignment {
  const { [session]: _, ...workers } = current.workers
  return { term: current.term + 1, workers, shards: current.shards.map((lease) => keepKnown(lease, workers)) }
}

/**
 * The workers whose beats a worker watches: those behind it in the circle of all sessions. Each is watched by several,
 * and the looks of all grow with their number instead of its square.
 */
export function watchedBy({ workers }: Assignment, session: string): string[] {
  const others = Object.keys(workers).filter((worker) => worker !== session)
  const [before, behind] = [others.filter((worker) => worker < session), others.filter((worker) => worker > session)]
  return [...behind.sort(), ...before.sort()].slice(0, WATCHED)
}

/** The shards that a worker has beyond its share. */
export function excess(current: Assignment, session: string): number[] {
  return owned(current, session).slice(shareOf(current, session))
}

/** The shards of a worker. */
export function owned(current: Assignment, session: string): number[] {
  return [...current.shards.keys()].filter((shard) => current.shards[shard]?.owner === session)
}

/** The part of the shards that a worker should have: an equal part, and one more for the first when some are left. */
export function shareOf({ workers, shards }: Assignment, session: string): number {
  const sessions = Object.keys(workers).sort()
  const rank = sessions.indexOf(session)
  if (rank < 0) return 0
  return Math.floor(shards.length / sessions.length) + (rank < shards.length % sessions.length ? 1 : 0)
}

function keepKnown(lease: ShardLease | null, workers: Record<string, string>): ShardLease | null {
  return lease && workers[lease.owner] !== undefined ? lease : null
}
