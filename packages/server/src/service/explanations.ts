import type { Reading } from '../reading/reading.ts'
import { presentModel } from '../views/model.ts'
import type { LiveSystem } from './live-system.ts'

/** Milliseconds for which an explanation of the present serves everybody who asks. */
const FRESH = 3_000
/** Explanations of earlier assessments that are kept. */
const KEPT = 200

/** Explanations by the present model. However many people ask, a system is copied once in a few seconds. */
export class Explanations {
  private readonly reading: Reading
  private readonly clock: () => number
  private readonly found = new Map<string, { at: number; answer: Promise<Uint8Array> }>()

  /** @param clock of the server, in milliseconds; it never goes back */
  constructor(reading: Reading, clock: () => number) {
    this.reading = reading
    this.clock = clock
  }

  /** As JSON; of the latest sample, or of the one of an assessment. */
  explain(system: LiveSystem, assessment?: number): Promise<Uint8Array> {
    const key = `${system.id}/${assessment ?? ''}`
    const known = this.found.get(key)
    if (known && this.clock() - known.at < FRESH) return known.answer
    const answer = this.ask(system, assessment)
    this.found.delete(key)
    this.found.set(key, { at: this.clock(), answer })
    // An error is not kept: the next one may ask again at once.
    answer.catch(() => this.found.delete(key))
    for (const oldest of this.found.keys()) if (this.found.size > KEPT) this.found.delete(oldest)
    return answer
  }

  private async ask(system: LiveSystem, assessment: number | undefined): Promise<Uint8Array> {
    const { bytes, sequence } = await system.read(presentModel())
    const { id, channels, levels } = system
    return this.reading.explain({ system: id, channels, levels, model: bytes, through: sequence, assessment })
  }
}
