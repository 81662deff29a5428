import type { Random } from '@pb-oel/core'

/** What is wrong with disk and network at this moment. */
export class Faults {
  /** Share of messages, requests and answers that get lost. */
  loss = 0
  /** Share of messages that come out of order, and of requests that come twice. */
  mess = 0
  /** Longest delay of the network and of the disk, milliseconds. */
  network = 20
  disk = 4
  /** Whether the receiver of alarms takes none. */
  receiverDown = false
  private readonly random: Random

  constructor(random: Random) {
    this.random = random
  }

  /** Nothing is wrong any more. */
  heal(): void {
    this.loss = 0
    this.mess = 0
    this.network = 20
    this.disk = 4
    this.receiverDown = false
  }

  /** @param badness from 0 to 1 */
  spoilNetwork(badness: number): void {
    this.loss = 0.3 * badness
    this.mess = 0.5 * badness
    this.network = 20 + 800 * badness
  }

  /** @param badness from 0 to 1 */
  slowDisk(badness: number): void {
    this.disk = 50 + 1_500 * badness
  }

  closeReceiver(): void {
    this.receiverDown = true
  }

  loses(): boolean {
    return this.random.uniform() < this.loss
  }

  reorders(): boolean {
    return this.random.uniform() < this.mess
  }

  networkDelay(): number {
    return this.random.uniform() * this.network
  }

  diskDelay(): number {
    return this.random.uniform() * this.disk
  }
}
