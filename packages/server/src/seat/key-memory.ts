import { KeyQueue } from '../fold/key-queue.ts'
import { KEYS_KNOWN_FOR } from '../log/event-log.ts'
import { KEYS_MOST, type UsedKey } from '../replay/used-keys.ts'

/** The idempotency keys of the latest minutes of a system, by steady time. */
export class KeyMemory {
  private readonly keys = new KeyQueue<UsedKey>()

  constructor(used: readonly UsedKey[] = []) {
    for (const entry of used) this.keys.set(entry.key, entry)
  }

  /** The record a key was first used with. */
  get(key: string): number | undefined {
    return this.keys.get(key)?.sequence
  }

  add(entry: UsedKey): void {
    this.keys.set(entry.key, entry)
    const stays = ({ time }: UsedKey) => this.keys.size <= KEYS_MOST && time >= entry.time - KEYS_KNOWN_FOR
    for (let { oldest } = this.keys; oldest && !stays(oldest); { oldest } = this.keys) this.keys.shift()
  }
}
