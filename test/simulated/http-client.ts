import type { SimulatedClock } from '../../packages/server/src/clock/testing/simulated-clock.ts'
import type { Faults } from './faults.ts'
import type { Power } from './power.ts'
import type { SimulatedServer } from './server.ts'

/** A request. */
export interface Asked {
  method: 'GET' | 'POST'
  url: string
  payload?: object
}

/** An answer as it left the server. */
export interface Answered {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API says
  body: any
}

/** Number of the latest record that anybody was told of, by system. */
export type Told = ReadonlyMap<string, number>

/** The server that runs now, if any. */
export interface Running {
  server: SimulatedServer
  power: Power
}

/** Milliseconds after which a client gives up waiting for an answer. */
const PATIENCE = 3_000

/** Sends requests over a network that loses, delays and repeats them. */
export class HttpClient {
  private readonly clock: SimulatedClock
  private readonly faults: Faults
  private readonly running: () => Running | undefined
  private readonly onLeft: (asked: Asked, answered: Answered, told: Told) => void
  private readonly told: () => Told

  /**
   * @param onLeft called for every answer that leaves a server, heard or not, with what was told before it was asked
   * @param told what anybody was told so far
   */
  constructor(parts: {
    clock: SimulatedClock
    faults: Faults
    running: () => Running | undefined
    onLeft: (asked: Asked, answered: Answered, told: Told) => void
    told: () => Told
  }) {
    this.clock = parts.clock
    this.faults = parts.faults
    this.running = parts.running
    this.onLeft = parts.onLeft
    this.told = parts.told
  }

  /** Asks; `heard` is called once, with nothing where no answer came. */
  send(asked: Asked, heard: (answered: Answered | undefined) => void): void {
    let open = true
    const finish = (answered?: Answered) => {
      if (!open) return
      open = false
      giveUp()
      heard(answered)
    }
    const giveUp = this.clock.after(PATIENCE, () => finish())
    const copies = this.faults.reorders() ? 2 : 1
    for (let i = 0; i < copies; i++) {
      if (this.faults.loses()) continue
      this.clock.after(this.faults.networkDelay(), () => this.deliver(asked, finish))
    }
  }

  private deliver(asked: Asked, finish: (answered?: Answered) => void): void {
    const { server, power } = this.running() ?? {}
    if (!server || !power?.isOn) {
      this.clock.after(this.faults.networkDelay(), () => finish())
      return
    }
    const { method, url, payload } = asked
    const told = this.told()
    void server.app.inject({ method, url, payload }).then(
      (response) => {
        if (!power.isOn) return
        const json = `${response.headers['content-type']}`.includes('json')
        const answered = { status: response.statusCode, body: json ? JSON.parse(response.payload) : response.payload }
        this.onLeft(asked, answered, told)
        if (!this.faults.loses()) this.clock.after(this.faults.networkDelay(), () => finish(answered))
      },
      () => {},
    )
  }
}
