import { hash } from 'node:crypto'
import { type Extensions, PbOelError } from '@pb-oel/core'
import { type AnswerEffect, encodeBody, type SystemEvent, type SystemRequest } from '@pb-oel/protocol'
import { configure } from '../fold/configure.ts'
import { SystemFold } from '../fold/system-fold.ts'
import type { LogReader, SnapshotBytes } from '../log/event-log.ts'
import { rebuild } from '../replay/recover.ts'
import { olderKeys, type UsedKey } from '../replay/used-keys.ts'
import '../views/all-views.ts'
import { summary } from '../views/system.ts'
import { lookByName } from '../views/view.ts'
import { eventOf, type Input, keyOf, labelEvent } from './input.ts'
import { KeyMemory } from './key-memory.ts'
import type { Due, Entry, Opened, Operation, OperationKind, Outcome, Repeated, Results } from './seat.ts'

/** A fold with the keys of its latest minutes, and everything that is asked of it. Does no I/O once it is there. */
export class SeatedFold {
  readonly opened: Opened
  /** Keys that the state does not hold any more. */
  readonly older: readonly UsedKey[]
  private readonly fold: SystemFold
  private readonly keys: KeyMemory
  private snapshotAt: number

  constructor(fold: SystemFold, from: { snapshotAt?: number; damages?: string[]; keys?: readonly UsedKey[] } = {}) {
    const { snapshotAt = 0, damages = [], keys = [] } = from
    const { configuration, sequence, time } = fold
    this.fold = fold
    this.older = keys
    this.snapshotAt = snapshotAt
    this.keys = new KeyMemory(keys.map((used) => ({ ...used, time: fold.steady - (time - used.time) })))
    const { pace } = fold
    const outlook = outlookOf(fold)
    this.opened = {
      configuration,
      sequence,
      time,
      pace,
      outlook,
      snapshotAt,
      damages,
      summary: summary(time).look(fold),
    }
  }

  /** A system that is new. */
  static create(id: string, given: SystemRequest, now: number, extensions?: Extensions): SeatedFold {
    return new SeatedFold(new SystemFold(id, configure(id, given, extensions), 1, now, extensions))
  }

  /** A system of the log. */
  static async open(log: LogReader, id: string, extensions?: Extensions): Promise<SeatedFold> {
    let snapshotAt = 0
    const damages: string[] = []
    const fold = await rebuild(log, id, {
      extensions,
      onSnapshot: (sequence) => (snapshotAt = sequence),
      onDamage: ({ message }) => damages.push(message),
    })
    const { time, keys } = fold
    return new SeatedFold(fold, { snapshotAt, damages, keys: await olderKeys(log, { id, time, oldest: keys.oldest }) })
  }

  /** The whole state as bytes. */
  save(): Uint8Array {
    return this.fold.save()
  }

  /** Does what is asked. An error that this software did not throw on purpose is a defect. */
  perform<K extends OperationKind>(operation: Operation<K>): Outcome<Results[K]> {
    try {
      return { value: this.answer(operation as Operation) as Results[K] }
    } catch (error) {
      const defect = operation.kind !== 'read' && !(error instanceof PbOelError)
      return { error: error as Error, defect }
    }
  }

  private answer(operation: Operation): Results[OperationKind] {
    switch (operation.kind) {
      case 'write':
        return this.write(operation.input, operation.now)
      case 'read':
        return lookByName(this.fold, operation.view, operation.args)
      case 'mark':
        return this.mark(operation.event, operation.now)
      case 'snapshot':
        return this.snapshot(operation.now)
    }
  }

  private write(input: Input, now: number): Entry | Repeated {
    const { fold, keys } = this
    const key = keyOf(input)
    const first = key === undefined ? undefined : (fold.keys.sequenceOf(key) ?? keys.get(key))
    if (first !== undefined) return { repeated: first }
    const time = this.timeAt(now)
    const sequence = fold.sequence + 1
    const before = input.kind === 'answer' ? standing(fold) : undefined
    const event = eventOf(input, fold, time)
    const events = [event, ...fold.apply(event, time)]
    const label = labelEvent(input, events)
    if (label) events.push(label, ...fold.apply(label, time))
    if (key !== undefined) keys.add({ key, sequence, time: fold.steady })
    const entry = entryOf(fold, sequence, events)
    return before ? { ...entry, effect: effectOf(before, standing(fold)) } : entry
  }

  private mark(event: SystemEvent, now: number, snapshot?: SnapshotBytes): Entry {
    const time = this.timeAt(now)
    const sequence = this.fold.sequence + 1
    this.fold.skip(time)
    return { ...entryOf(this.fold, sequence, [event]), ...(snapshot && { snapshot }) }
  }

  private snapshot(now: number): Entry {
    const { sequence, time } = this.fold
    const bytes = this.fold.save()
    const keys = { ...this.fold.keys.behind(this.snapshotAt), to: sequence, time }
    this.snapshotAt = sequence
    const body = { sequence, sha256: hash('sha256', bytes) }
    return this.mark({ kind: 'snapshot', body }, now, { sequence, bytes, keys })
  }

  /** The clock, which never goes back within a system. */
  private timeAt(now: number): number {
    return Math.max(this.fold.time, now)
  }
}

/** What the fold has just applied. */
function entryOf(fold: SystemFold, sequence: number, events: readonly SystemEvent[]): Entry {
  const { time } = fold
  const records = events.map(({ kind, body }) => ({ time, kind, body: encodeBody(body) }))
  return { sequence, time, events, records, outlook: outlookOf(fold) }
}

function outlookOf({ configuration, due, steady, alarms }: SystemFold): Due[] {
  // Nobody watches an archived system.
  if (configuration.archived) return []
  // A sensor may need as long after a start of the server as it may be silent.
  const grace = (alarms.staleAfter ?? 0) * 1000
  return due.map(({ alarm, at, silence }) => ({ alarm, wait: at - steady, grace: silence ? grace : 0 }))
}

interface Standing {
  accuracy: number | null
  weights: number[] | undefined
}

function standing(fold: SystemFold): Standing {
  return { accuracy: fold.accuracy, weights: fold.model.weights() }
}

function effectOf(before: Standing, after: Standing): AnswerEffect {
  return {
    accuracy: [before.accuracy, after.accuracy],
    ...(before.weights && after.weights && { weights: [before.weights, after.weights] }),
  }
}
