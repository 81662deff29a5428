import { Conflict, Gone, NotFound } from '../errors.ts'
import { type ConfigurationChange, configure, type NewSystem } from '../fold/configuration.ts'
import type { AssessmentBody, FeedbackBody, SampleBody, SystemEvent } from '../fold/events.ts'
import { completeValues, type GivenValues } from '../fold/sample-values.ts'
import { SystemFold } from '../fold/system-fold.ts'
import type { EventLog } from '../log/event-log.ts'
import { rebuild } from '../replay/recover.ts'
import { LiveSystem, type StoredRecord, type Written } from './live-system.ts'

/** The log that belongs to the server itself and not to a system; no system can have this name. */
export const SERVER_LOG = '$server'

/** A sample as a caller gives it. */
export type GivenSample = Pick<SampleBody, 'at' | 'mode' | 'key'> & { values: GivenValues }

/** An answer as a caller gives it. */
export type GivenFeedback = Omit<FeedbackBody, 'by'> & { correction?: boolean }

/** The answer to a sample, sent when it is on disk. */
export interface SampleAnswer extends AssessmentBody {
  /** Number of the sample's record. */
  sequence: number
  time: number
  held?: number[]
  /** The key was used before; this is the first answer again. */
  repeated?: boolean
}

/** The answer to feedback. */
export interface FeedbackAnswer {
  assessment: number
  sequence: number
  time: number
  kind: 'feedback' | 'correction'
  repeated?: boolean
  /** What it changed at once, before and after. */
  effect?: { accuracy: [number | null, number | null]; weights?: [number[], number[]] }
}

/** Options of {@link Service}. */
export interface ServiceOptions {
  /** Records between two snapshots of a system. Default 20,000. */
  snapshotEvery?: number
  /** Largest number of systems. Default 1,000. */
  maxSystems?: number
  /** Milliseconds since 1970; for tests. */
  clock?: () => number
}

/** All systems of a server: what HTTP, MQTT and the simulation call. */
export class Service {
  readonly log: EventLog
  readonly clock: () => number
  private readonly systems = new Map<string, LiveSystem>()
  private readonly options: Required<ServiceOptions>
  private readonly subscribers = new Set<(system: LiveSystem, record: StoredRecord) => void>()
  private readonly newcomers = new Set<(system: LiveSystem) => void>()
  /** Called when something fails that no caller waits for. */
  onTrouble: (error: Error, system: string) => void = () => {}
  /** Why a system can not be used here; `undefined` when it can. A worker of a cluster has more reasons than one. */
  absent: (id: string) => Error | undefined = (id) =>
    this.systems.has(id) ? undefined : new NotFound(`there is no system ${id}`)

  private constructor(log: EventLog, options: ServiceOptions) {
    this.log = log
    const { snapshotEvery = 20_000, maxSystems = 1_000, clock = Date.now } = options
    this.options = { snapshotEvery, maxSystems, clock }
    this.clock = this.options.clock
  }

  /** Rebuilds every system from the log. */
  static async open(log: EventLog, options: ServiceOptions = {}): Promise<Service> {
    const service = Service.empty(log, options)
    for (const system of await log.systems()) if (system !== SERVER_LOG) await service.load(system)
    return service
  }

  /** A service without systems, whatever the log has: they are loaded one by one. */
  static empty(log: EventLog, options: ServiceOptions = {}): Service {
    return new Service(log, options)
  }

  /** Rebuilds one system from the log. */
  async load(id: string): Promise<void> {
    let snapshotAt = 0
    const fold = await rebuild(this.log, id, { onSnapshot: (sequence) => (snapshotAt = sequence) })
    const system = this.adopt(fold, snapshotAt)
    for (const listener of this.newcomers) listener(system)
  }

  /** Ends a system here at once: somebody else has it. Whoever waits for it is told so. */
  drop(id: string): void {
    this.systems.get(id)?.end()
    this.systems.delete(id)
  }

  /** Ends a system here properly: waits for what is under way and saves the state. */
  async release(id: string): Promise<void> {
    const system = this.systems.get(id)
    if (!system) return
    await system.settled().catch(() => {})
    if (system.ready && system.dirty) await system.saveSnapshot().catch((error) => this.onTrouble(error, id))
    this.drop(id)
  }

  /** Whether a system is loaded here. */
  has(id: string): boolean {
    return this.systems.has(id)
  }

  /** Calls back for every system that is loaded from now on. */
  onLoaded(listener: (system: LiveSystem) => void): () => void {
    this.newcomers.add(listener)
    return () => this.newcomers.delete(listener)
  }

  /** All systems, by name. */
  list(): LiveSystem[] {
    return [...this.systems.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  get(id: string): LiveSystem {
    const reason = this.absent(id)
    if (reason) throw reason
    return this.systems.get(id) as LiveSystem
  }

  /** True when every system takes events. */
  get ready(): boolean {
    return this.list().every((system) => system.ready)
  }

  /** Makes a system; resolves when its first record is on disk. */
  async create(id: string, given: NewSystem, by: string): Promise<LiveSystem> {
    const configuration = configure(id, given)
    if (this.systems.has(id)) throw new Conflict(`there is a system ${id} already`)
    const reason = this.absent(id)
    if (reason && !(reason instanceof NotFound)) throw reason
    if (this.systems.size >= this.options.maxSystems) {
      throw new Conflict(`there are ${this.systems.size} systems, as many as this server may have`)
    }
    const time = this.clock()
    const system = this.adopt(new SystemFold(id, configuration, 1, time), 0)
    try {
      await this.log.append(id, 1, [{ time, kind: 'created', body: JSON.stringify({ configuration, by }) }])
    } catch (error) {
      this.systems.delete(id)
      // In a shared log it may be there although this worker never heard of it.
      if (error instanceof Conflict) await this.load(id)
      throw error
    }
    return system
  }

  /** Assesses a sample. */
  async sample(id: string, given: GivenSample, by: string): Promise<SampleAnswer> {
    const system = this.get(id)
    const { fold } = system
    const { at, mode, key } = given
    // No await between this look and the write: two requests with one key must not both pass.
    const first = key === undefined ? undefined : fold.sequenceOfKey(key)
    if (first !== undefined) return { ...sampleAnswer(await this.written(system, first)), repeated: true }
    const body: SampleBody = {
      ...completeValues(fold.configuration, given.values, fold.lastValues),
      ...(at !== undefined && { at }),
      ...(mode !== undefined && { mode }),
      ...(key !== undefined && { key }),
      by,
    }
    return sampleAnswer(await system.write({ kind: 'sample', body }))
  }

  /** Learns from an answer, or from a corrected one. */
  async feedback(id: string, given: GivenFeedback, by: string): Promise<FeedbackAnswer> {
    const system = this.get(id)
    const { correction = false, ...rest } = given
    const first = given.key === undefined ? undefined : system.fold.sequenceOfKey(given.key)
    if (first !== undefined) return { ...feedbackAnswer(await this.written(system, first)), repeated: true }
    const answered = system.fold.questions.get(given.assessment)?.answer !== undefined
    const kind = correction && answered ? 'correction' : 'feedback'
    const before = standing(system)
    // The state changes at once, the promise is about the disk.
    const writing = system.write({ kind, body: { ...rest, by } })
    const after = standing(system)
    const written = await writing
    system.leases.end(given.assessment)
    const effect: FeedbackAnswer['effect'] = { accuracy: [before.accuracy, after.accuracy] }
    if (before.weights && after.weights) effect.weights = [before.weights, after.weights]
    return { ...feedbackAnswer(written), effect }
  }

  /** Changes what may change of a system. */
  async configure(id: string, change: ConfigurationChange, by: string): Promise<void> {
    await this.get(id).write({ kind: 'configuration', body: { change, by } })
  }

  /** A person has seen an alarm. */
  async acknowledge(id: string, number: number, by: string): Promise<void> {
    await this.get(id).write({ kind: 'acknowledgement', body: { number, by } })
  }

  /** Calls back for every record of every system that has reached the disk, in order within a system. */
  subscribe(listener: (system: LiveSystem, record: StoredRecord) => void): () => void {
    this.subscribers.add(listener)
    return () => this.subscribers.delete(listener)
  }

  /** Removes what is older than the latest `keep` records of each system, as far as states allow. */
  async compactAll(keep: number): Promise<void> {
    for (const system of this.list()) {
      // A system without anything to remove says so; that is no trouble.
      await system.compact(keep, 'retention').catch((error) => {
        if (!(error instanceof Conflict)) this.onTrouble(error, system.id)
      })
    }
  }

  /** Waits for everything on its way, saves every state, closes the log. */
  async close(): Promise<void> {
    for (const id of [...this.systems.keys()]) await this.release(id)
    await this.log.close()
  }

  private adopt(fold: SystemFold, snapshotAt: number): LiveSystem {
    const system = new LiveSystem(this.log, fold, this.options.snapshotEvery, snapshotAt, this.clock)
    system.onTrouble = (error) => this.onTrouble(error, system.id)
    system.subscribe((record) => {
      for (const listener of this.subscribers) listener(system, record)
    })
    this.systems.set(fold.id, system)
    return system
  }

  /** What was written at a place of the log, once it is on disk. */
  private async written(system: LiveSystem, sequence: number): Promise<Written> {
    await system.settled()
    const records = await this.log.read(system.id, { from: sequence, limit: 2 })
    if (records[0]?.sequence !== sequence) throw new Gone('this key was used before; its records have been compacted')
    const events = records.map(({ kind, body }) => ({ kind, body: JSON.parse(body) }) as SystemEvent)
    return { sequence, time: records[0].time, events }
  }
}

function standing({ fold }: LiveSystem) {
  return { accuracy: fold.tally.accuracy, weights: fold.weights() }
}

function sampleAnswer({ sequence, time, events }: Written): SampleAnswer {
  const [sample, assessment] = events
  if (sample.kind !== 'sample' || assessment?.kind !== 'assessment') {
    throw new Conflict('this key was used for something else than a sample')
  }
  const { held } = sample.body
  return { ...assessment.body, sequence, time, ...(held && { held }) }
}

function feedbackAnswer({ sequence, time, events: [event] }: Written): FeedbackAnswer {
  if (event.kind !== 'feedback' && event.kind !== 'correction') {
    throw new Conflict('this key was used for something else than feedback')
  }
  return { assessment: event.body.assessment, sequence, time, kind: event.kind }
}
