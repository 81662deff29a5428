import { type Feedback, type FeedbackMode, Random } from '@pb-oel/core'

/**
 * The expert of the paper's experiments: with probability ρ gives the label, otherwise says right or wrong. Whether a
 * sample will be labelled is settled before it is assessed (the paper's Z_t).
 */
export class SimulatedExpert {
  private readonly random: Random
  private readonly rho: number

  /**
   * @param rho share of full labels, 0 … 1
   * @param seed of the stream `feedback`, independent of the assessor's own randomness
   */
  constructor(rho: number, seed: number) {
    this.rho = rho
    this.random = new Random(seed, 'feedback')
  }

  /** The mode of the next sample. */
  next(): FeedbackMode {
    return this.random.uniform() < this.rho ? 'full' : 'partial'
  }

  /** The answer to an assessment. */
  answer(mode: FeedbackMode, assessed: number, truth: number): Feedback {
    if (mode === 'full') return { kind: 'label', level: truth }
    return assessed === truth ? CONFIRM : REJECT
  }
}

const CONFIRM: Feedback = { kind: 'confirm' }
const REJECT: Feedback = { kind: 'reject' }
