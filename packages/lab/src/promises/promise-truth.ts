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
  /** Wrong assessments among the first t samples, and what each expert lost on them. */
  private readonly wrongSoFar: number[] = [0]
  private readonly lostSoFar: Float64Array[] = []

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
    const lost = this.lostSoFar.at(-1)?.slice() ?? new Float64Array(experts.length)
    for (let n = 0; n < experts.length; n++) if (experts[n] !== truth) lost[n]++
    this.lostSoFar.push(lost)
  }

  get wrong(): number {
    return this.wrongSoFar[this.wrongSoFar.length - 1]
  }

  /** Accuracy of the latest samples, of all of them where there are no more. */
  accuracy(latest = this.samples): number {
    const shown = Math.min(latest, this.samples)
    return 1 - (this.wrong - this.wrongSoFar[this.samples - shown]) / shown
  }

  /** Regret per sample against the expert that was best, over the latest samples or all of them. */
  regret(latest = this.samples): number {
    const from = this.samples - latest
    const before = from === 0 ? undefined : this.lostSoFar[from - 1]
    const lost = this.lostSoFar[this.samples - 1].map((sum, n) => sum - (before?.[n] ?? 0))
    return (this.wrong - this.wrongSoFar[from] - Math.min(...lost)) / latest
  }
}
