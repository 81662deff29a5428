import { StorageError } from '../../packages/server/src/errors.ts'
import { SqliteStore } from '../../packages/server/src/log/sqlite-store.ts'
import type { StoreAccess } from '../../packages/server/src/log/store-thread.ts'
import type { Power } from './power.ts'

/** How a store is reached: its power, and how many milliseconds each half of a call takes. */
export interface StoreSetting {
  power: Power
  delay: () => number
}

/**
 * A store in this thread that answers as one in another thread does: later, in order, and not at all when the power is
 * gone. Power can go before the disk has done what was asked, or after.
 */
export class SimulatedStore implements StoreAccess {
  private readonly store: SqliteStore
  private readonly setting: StoreSetting
  private last: Promise<unknown> = Promise.resolve()

  constructor(file: string, readOnly: boolean, setting: StoreSetting) {
    this.store = new SqliteStore(file, { readOnly })
    this.setting = setting
  }

  call: StoreAccess['call'] = (method, ...args) => {
    // As a message to a thread: what the caller changes later does not count.
    const given = structuredClone(args)
    const done = this.last.then(() => this.perform(method, given))
    this.last = done.catch(() => {})
    return done as never
  }

  async close(): Promise<void> {
    await this.last
    this.store.close()
  }

  private async perform(method: string, args: unknown[]): Promise<unknown> {
    await this.wait()
    let value: unknown
    try {
      value = (this.store as unknown as Record<string, (...args: unknown[]) => unknown>)[method](...args)
    } catch (error) {
      await this.wait()
      throw new StorageError((error as Error).message)
    }
    await this.wait()
    return structuredClone(value)
  }

  private async wait(): Promise<void> {
    const { power, delay } = this.setting
    const milliseconds = delay()
    try {
      await power.whileOn(milliseconds > 0 ? power.pause(milliseconds) : Promise.resolve())
    } catch (error) {
      throw new StorageError((error as Error).message)
    }
  }
}
