import { type Assessment, Reliability } from '@pb-oel/core'

/** What is true so far, with every true level known. */
export class PromiseTruth {
  samples = 0
  misses = 0
  safeSideMisses = 0
  /** Samples whose safe-side level was above the assessed one. */
  safeSideAbove = 0
  /** Reliability of the raw confidence and of the recalibrated one, over all samples. */
  readonly raw = new Reliability()
  readonly recalibrated = new Reliability()
  private readonly lost: number[] = []
  /** Wrong assessments among the first t samples. */
  private readonly wrongSoFar: number[] = [0]

  count(assessment: Assessment, promised: { safeSideLevel: number; confidence: number }, truth: number): void {
    const { level, experts, confidence } = assessment
    const right = level === truth
    this.samples++
    this.wrongSoFar.push(this.wrong + (right ? 0 : 1))
    if (level < truth) this.misses++
    if (promised.safeSideLevel > level) this.safeSideAbove++
    if (promised.safeSideLevel < truth) this.safeSideMisses++
    this.raw.add(confidence, right)
    this.recalibrated.add(promised.confidence, right)
    for (let n = 0; n < experts.length; n++) this.lost[n] = (this.lost[n] ?? 0) + (experts[n] === truth ? 0 : 1)
  }

  get wrong(): number {
    return this.wrongSoFar[this.wrongSoFar.length - 1]
  }

  /** Accuracy of the latest samples, of all of them where there are no more. */
  accuracy(latest = this.samples): number {
    const shown = Math.min(latest, this.samples)
    return 1 - (this.wrong - this.wrongSoFar[this.samples - shown]) / shown
  }

  /** Regret per sample against the expert that was best. */
  get regret(): number {
    return (this.wrong - Math.min(...this.lost)) / this.samples
  }
}
