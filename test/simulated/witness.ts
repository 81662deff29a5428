import { hash } from 'node:crypto'
import type { AlarmMessage } from '@pb-oel/protocol'
import type { SystemFold } from '../../packages/server/src/fold/system-fold.ts'
import { ChainVerifier } from '../../packages/server/src/log/chain.ts'
import type { StoredRecord } from '../../packages/server/src/log/record.ts'
import { Replayer } from '../../packages/server/src/replay/replayer.ts'

/** The log that is watched, as it is now. */
export interface WitnessedLog {
  systems(): string[]
  /** Number of the first record, and the hash in front of it. */
  extent(system: string): { first: number; before: string } | undefined
  /** The records from a number on. */
  read(system: string, from: number): readonly StoredRecord[]
  /** Number of the last record of each system that a power cut at this moment would leave for certain. */
  durableEnds(): ReadonlyMap<string, number>
  /** The state after a record, from the first record that is kept. */
  replay(system: string, at: number): Promise<SystemFold>
  close(): void
}

/** What somebody was told of an input that was taken. */
interface Acknowledged {
  /** Number of the record, where it was told. */
  sequence?: number
  /** Number of the assessment, where there is one. */
  assessment?: number
}

/** The log of one system as it was last seen, and a state that follows it. */
interface Seen {
  records: StoredRecord[]
  chain: ChainVerifier
  keys: Map<string, number>
  replayer: Replayer
  /** Last record that the replayer has. */
  replayed: number
}

/** Says that an invariant does not hold, and which. */
export class Violation extends Error {}

/**
 * Sees everything that leaves a server, knows what is on its disk, and says when an invariant does not hold. It reads
 * the store with a connection of its own; what was acknowledged it keeps over all starts.
 */
export class Witness {
  /** The first invariant that did not hold, if any. */
  violation: Violation | undefined
  private readonly acknowledged = new Map<string, Map<string, Acknowledged>>()
  private readonly received = new Map<string, Map<string, number>>()
  private readonly latest = new Map<string, number>()
  private log: WitnessedLog | undefined
  private durable: ReadonlyMap<string, number> = new Map()
  private seen = new Map<string, Seen>()

  /** Notes that an invariant does not hold. */
  fail(text: string): void {
    this.violation ??= new Violation(text)
  }

  /** A server begins with a log. Call {@link inspect} when that is there. */
  begin(log: WitnessedLog): void {
    this.end()
    this.log = log
    this.durable = new Map()
    this.seen = new Map()
  }

  /** A server is about to end: its log is let go. */
  end(): void {
    this.log?.close()
  }

  /** Number of the last record that somebody was told of, by system. */
  told(): Map<string, number> {
    return new Map(this.latest)
  }

  /** Something reads a system as it is after a record, having asked when others had been told of some already. */
  read(system: string, sequence: number, told: ReadonlyMap<string, number>, where: string): void {
    this.shown(system, sequence, where)
    const before = told.get(system) ?? 0
    if (sequence < before) {
      this.fail(
        `stale read: ${where} shows record ${sequence} of ${system}, and ${before} was told before it was asked`,
      )
    }
  }

  /** Something of a record is told: it must survive a power cut at this moment. */
  shown(system: string, sequence: number, where: string): void {
    if (sequence <= (this.durable.get(system) ?? 0)) return
    this.durable = this.log?.durableEnds() ?? new Map()
    const end = this.durable.get(system) ?? 0
    if (sequence > end) {
      this.fail(`shown before it is durable: ${where} tells of record ${sequence} of ${system}, the disk has ${end}`)
    }
  }

  /** A client heard that its input was taken. */
  heard(system: string, key: string, told: Acknowledged): void {
    const keys = this.acknowledged.get(system) ?? new Map<string, Acknowledged>()
    this.acknowledged.set(system, keys)
    const earlier = keys.get(key)
    const same = earlier?.sequence === undefined || told.sequence === undefined || earlier.sequence === told.sequence
    if (!same) {
      this.fail(`doubled: ${key} of ${system} was record ${earlier?.sequence} and is record ${told.sequence} now`)
    }
    keys.set(key, { ...earlier, ...told })
    this.latest.set(system, Math.max(this.latest.get(system) ?? 0, told.sequence ?? 0))
  }

  /** A receiver got a change of an alarm. */
  alarm(receiver: string, message: AlarmMessage): void {
    const { system, sequence } = message
    this.shown(system, sequence, `the alarm at ${receiver}`)
    const last = this.received.get(receiver) ?? new Map<string, number>()
    this.received.set(receiver, last)
    const before = last.get(system) ?? 0
    const between = (this.seen.get(system)?.records ?? []).find(
      (record) => record.kind === 'alarm' && record.sequence > before && record.sequence < sequence,
    )
    if (between) this.fail(`missed alarm: ${receiver} never got record ${between.sequence} of ${system}`)
    last.set(system, Math.max(before, sequence))
  }

  /** Looks at all records that are new in the store: order, chain, time, keys; and for each key that was heard. */
  inspect(): void {
    for (const system of this.log?.systems() ?? []) this.inspectSystem(this.log as WitnessedLog, system)
    for (const [system, keys] of this.acknowledged) this.checkHeard(system, keys)
  }

  /** Compares the state after a record with a replay from the beginning of the log. */
  async state(system: string, sequence: number, shown: string): Promise<void> {
    const seen = this.seen.get(system)
    if (!seen || seen.replayed > sequence) return
    try {
      for (const record of seen.records) {
        if (record.sequence > seen.replayed && record.sequence <= sequence) {
          seen.replayer.feed(record)
          seen.replayed = record.sequence
        }
      }
    } catch (error) {
      this.fail(`state differs from replay: ${(error as Error).message}`)
      return
    }
    if (seen.replayed !== sequence) return
    const replayed = seen.replayer.fold?.stateHash()
    if (replayed !== shown) this.fail(`state differs from replay: ${system} after record ${sequence}`)
  }

  /** At the end, when everything had its time: every alarm must have reached every receiver. */
  checkAlarms(receivers: readonly string[]): void {
    for (const [system, { records }] of this.seen) {
      const last = records.findLast(({ kind }) => kind === 'alarm')?.sequence ?? 0
      for (const receiver of receivers) {
        const got = this.received.get(receiver)?.get(system) ?? 0
        if (got < last) this.fail(`missed alarm: ${receiver} has ${system} up to record ${got}, the log has ${last}`)
      }
    }
  }

  /** A hash of the logs as they were last seen. */
  fingerprint(): string {
    const ends = [...this.seen].map(([system, { records }]) => `${system} ${records.at(-1)?.hash}`)
    return hash('sha256', ends.sort().join('\n')).slice(0, 16)
  }

  /** Whether a system was ever given a sample. */
  hasSamples(system: string): boolean {
    return (this.seen.get(system)?.records ?? []).some(({ kind }) => kind === 'sample')
  }

  /** Alarms of a system in the log so far. */
  alarms(system: string): { about?: string; number: number; status: string }[] {
    const records = this.seen.get(system)?.records ?? []
    return records.filter(({ kind }) => kind === 'alarm').map(({ body }) => JSON.parse(body))
  }

  /** Begins a system's replay with the state that a compacted log begins with. */
  async replayFromStart(): Promise<void> {
    try {
      for (const [system, seen] of this.seen) {
        const first = seen.records[0]?.sequence ?? 1
        if (first === 1) continue
        const last = seen.records.at(-1)?.sequence ?? 0
        seen.replayer = new Replayer(system, await this.log?.replay(system, last))
        seen.replayed = last
      }
    } catch (error) {
      this.fail(`the log cannot be replayed: ${(error as Error).message}`)
    }
  }

  private inspectSystem(log: WitnessedLog, system: string): void {
    const extent = log.extent(system)
    if (!extent) return
    const seen = this.seen.get(system) ?? {
      ...{ records: [], keys: new Map(), replayer: new Replayer(system), replayed: 0 },
      chain: new ChainVerifier(system, { sequence: extent.first - 1, hash: extent.before }),
    }
    this.seen.set(system, seen)
    const last = seen.records.at(-1)
    for (const record of log.read(system, (last?.sequence ?? extent.first - 1) + 1)) {
      this.inspectRecord(system, seen, record)
    }
  }

  private inspectRecord(system: string, seen: Seen, record: StoredRecord): void {
    const { sequence, time, kind, body } = record
    try {
      seen.chain.check(record)
    } catch (error) {
      this.fail((error as Error).message)
    }
    const before = seen.records.at(-1)
    if (before && time < before.time) {
      this.fail(`time went back: record ${sequence} of ${system} is ${before.time - time} ms before the one in front`)
    }
    const { key } = kind === 'sample' || kind === 'feedback' || kind === 'correction' ? JSON.parse(body) : {}
    if (key !== undefined && seen.keys.has(key)) {
      this.fail(`doubled: ${key} of ${system} is in records ${seen.keys.get(key)} and ${sequence}`)
    }
    if (key !== undefined) seen.keys.set(key, sequence)
    seen.records.push(record)
  }

  private checkHeard(system: string, keys: ReadonlyMap<string, Acknowledged>): void {
    const seen = this.seen.get(system)
    const first = seen?.records[0]?.sequence ?? 1
    for (const [key, { sequence }] of keys) {
      const found = seen?.keys.get(key)
      // What a compaction has removed cannot be looked at any more.
      if (found === undefined && first > 1 && (sequence ?? 0) < first) continue
      if (found === undefined || (sequence !== undefined && found !== sequence)) {
        this.fail(`acknowledged and lost: ${key} of ${system}, record ${sequence ?? 'unknown'}`)
      }
    }
  }
}
