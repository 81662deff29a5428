import type { Extensions } from '@pb-oel/core'
import type { SystemRequest } from '@pb-oel/protocol'
import type { LogReader } from '../log/event-log.ts'
import type { Opened, Operation, OperationKind, Outcome, Results, Seat, Seats } from './seat.ts'
import { SeatedFold } from './seated-fold.ts'

/** Seats in the thread that calls. */
export class LocalSeats implements Seats {
  readonly lanes = 1
  private readonly log: LogReader
  private readonly extensions: Extensions

  constructor(log: LogReader, extensions: Extensions) {
    this.log = log
    this.extensions = extensions
  }

  async create(id: string, given: SystemRequest, now: number): Promise<{ seat: Seat; opened: Opened }> {
    return this.seated(id, SeatedFold.create(id, given, now, this.extensions))
  }

  async open(id: string): Promise<{ seat: Seat; opened: Opened }> {
    return this.seated(id, await SeatedFold.open(this.log, id, this.extensions))
  }

  async close(): Promise<void> {}

  private seated(id: string, first: SeatedFold): { seat: Seat; opened: Opened } {
    const seat = new LocalSeat(first, () => SeatedFold.open(this.log, id, this.extensions))
    return { seat, opened: first.opened }
  }
}

/** A seat in the thread that calls: operations are done at once. */
class LocalSeat implements Seat {
  onLost: Seat['onLost'] = () => {}
  private seated: SeatedFold
  private readonly rebuild: () => Promise<SeatedFold>

  constructor(seated: SeatedFold, rebuild: () => Promise<SeatedFold>) {
    this.seated = seated
    this.rebuild = rebuild
  }

  perform<K extends OperationKind>(operation: Operation<K>, done: (outcome: Outcome<Results[K]>) => void): void {
    done(this.seated.perform(operation))
  }

  async reopen(): Promise<Opened> {
    this.seated = await this.rebuild()
    return this.seated.opened
  }

  leave(): void {}
}
