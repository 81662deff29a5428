import { type Extensions, OptionError, stateSize } from '@pb-oel/core'
import type {
  AnswerReceipt,
  AssessedSample,
  ConfigurationChange,
  GivenAnswer,
  GivenSample,
  SystemRequest,
} from '@pb-oel/protocol'
import { Conflict, NotFound, SetupError, TooLarge } from '../errors.ts'
import { configure } from '../fold/configure.ts'
import { SystemFold } from '../fold/system-fold.ts'
import type { EventLog } from '../log/event-log.ts'
import { SERVER_LOG } from '../log/record.ts'
import { rebuild } from '../replay/recover.ts'
import { assessedSample } from '../views/assessed-sample.ts'
import { LiveSystem, type Receipt, type Written } from './live-system.ts'

/** Options of {@link Service}. */
export interface ServiceOptions {
  /** Records between two snapshots of a system. Default 20,000. */
  snapshotEvery?: number
  /** Largest number of systems. Default 1,000. */
  maxSystems?: number
  /** Megabytes that the model of a new system may take. Default 256. */
  systemMegabytes?: number
  /** Milliseconds since 1970; for tests. */
  clock?: () => number
  /** Methods, detectors and learners from outside that systems may use. */
  extensions?: Extensions
}

/** All systems of a server: what HTTP, MQTT and the simulation call. */
export class Service {
  readonly log: EventLog
  readonly clock: () => number
  /** What systems may use from outside. */
  readonly extensions: Extensions
  private readonly systems = new Map<string, LiveSystem>()
  private readonly options: Required<ServiceOptions>
  private readonly subscribers = new Set<(system: LiveSystem, written: Written) => void>()
  private readonly newcomers = new Set<(system: LiveSystem) => void>()
  /** Called when something fails that no caller waits for. */
  onTrouble: (error: Error, system: string) => void = () => {}
  /** Why a system cannot be used here; `undefined` when it can. A worker of a cluster has more reasons than one. */
  absent: (id: string) => Error | undefined = (id) =>
    this.systems.has(id) ? undefined : new NotFound(`there is no system ${id}`)

  private constructor(log: EventLog, options: ServiceOptions) {
    this.log = log
    const { snapshotEvery = 20_000, maxSystems = 1_000, systemMegabytes = 256 } = options
    const { clock = Date.now, extensions = {} } = options
    this.options = { snapshotEvery, maxSystems, systemMegabytes, clock, extensions }
    this.clock = clock
    this.extensions = extensions
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
    const onSnapshot = (sequence: number) => {
      snapshotAt = sequence
    }
    const fold = await rebuild(this.log, id, { extensions: this.extensions, onSnapshot }).catch((error) => {
      // Its configuration was right when it was created, so a module is missing now.
      if (!(error instanceof OptionError)) throw error
      throw new SetupError(`system ${id} cannot be loaded: ${error.message}; name its modules with --module`)
    })
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
    await system.settle().catch((error) => this.onTrouble(error, id))
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
  async create(id: string, given: SystemRequest, by: string): Promise<LiveSystem> {
    this.checkSize(given)
    const configuration = configure(id, given, this.extensions)
    if (this.systems.has(id)) throw new Conflict(`there is a system ${id} already`)
    const reason = this.absent(id)
    if (reason && !(reason instanceof NotFound)) throw reason
    if (this.systems.size >= this.options.maxSystems) {
      throw new Conflict(`this server may have at most ${this.options.maxSystems} systems`)
    }
    const system = this.adopt(new SystemFold(id, configuration, 1, this.clock(), this.extensions), 0)
    try {
      await system.create(by)
    } catch (error) {
      this.systems.delete(id)
      // In a shared log it may be there although this worker never heard of it.
      if (error instanceof Conflict) await this.load(id)
      throw error
    }
    return system
  }

  /** Assesses a sample. */
  async sample(id: string, given: GivenSample, by: string): Promise<AssessedSample & { repeated?: true }> {
    const system = this.get(id)
    return sampleReceipt(system.levels, await system.write({ kind: 'sample', given, by }))
  }

  /** Learns from an answer, or from a corrected one. */
  async feedback(id: string, given: GivenAnswer, by: string): Promise<AnswerReceipt> {
    return answerReceipt(await this.get(id).write({ kind: 'answer', given, by }))
  }

  /** Changes what may change of a system. */
  async configure(id: string, change: ConfigurationChange, by: string): Promise<void> {
    await this.get(id).write({ kind: 'configuration', change, by })
  }

  /** A person has seen an alarm. */
  async acknowledge(id: string, number: number, by: string, about?: 'accuracy'): Promise<void> {
    await this.get(id).write({ kind: 'acknowledgement', number, about, by })
  }

  /** Calls back for everything of every system that has reached the disk, in order within a system. */
  subscribe(listener: (system: LiveSystem, written: Written) => void): () => void {
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

  /** Refuses a model that the machine cannot bear, before any of it is made. */
  private checkSize({ method = 'pb-oel', channels, levels, options }: SystemRequest): void {
    const { systemMegabytes } = this.options
    const task = { channels: channels.length, levels: levels.length }
    const megabytes = stateSize(method, task, options, this.extensions) / 1e6
    if (megabytes <= systemMegabytes) return
    throw new TooLarge(
      `a model of ${channels.length} channels takes about ${Math.ceil(megabytes)} MB of memory with these options, ` +
        `and this server allows ${systemMegabytes} MB: use fewer channels, networks or nodes, or let it allow more ` +
        '(limits.systemMegabytes)',
    )
  }

  private adopt(fold: SystemFold, snapshotAt: number): LiveSystem {
    const { snapshotEvery, clock, extensions } = this.options
    const system = new LiveSystem(this.log, fold, { snapshotEvery, snapshotAt, clock, extensions })
    system.onTrouble = (error) => this.onTrouble(error, system.id)
    system.subscribe((written) => {
      for (const listener of this.subscribers) listener(system, written)
    })
    this.systems.set(fold.id, system)
    return system
  }
}

function sampleReceipt(levels: readonly string[], receipt: Receipt): AssessedSample & { repeated?: true } {
  const [sample, assessment] = receipt.events
  if (sample.kind !== 'sample' || assessment?.kind !== 'assessment') throw new Error('a sample led to no assessment')
  const assessed = assessedSample(levels, receipt, sample.body, assessment.body)
  return receipt.repeated ? { ...assessed, repeated: true } : assessed
}

function answerReceipt({ sequence, time, events: [event], repeated, effect }: Receipt): AnswerReceipt {
  if (event.kind !== 'feedback' && event.kind !== 'correction') throw new Error('an answer led to no feedback')
  const { assessment, kind } = event.body
  return {
    ...{ assessment, kind },
    ...(event.kind === 'correction' && { correction: true }),
    ...{ sequence, time },
    ...(repeated && { repeated }),
    ...(effect && { effect }),
  }
}
