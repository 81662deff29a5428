import type { JobResult } from '../job/run-job.ts'
import type { PlannedJob } from './experiment.ts'
import { isBaseline } from './method-names.ts'

/** How a set of experiments is doing. */
export interface ExperimentProgress {
  /** Jobs done, those among them taken from the store, and all jobs. */
  done: number
  stored: number
  total: number
  /** Jobs run per second. */
  rate: number
  /** Estimated from the time each method has taken so far; undefined before the first result. */
  secondsLeft: number | undefined
  /** The method with the highest mean accuracy so far, trivial baselines apart. */
  best: { label: string; accuracy: number } | undefined
}

/** Sum and number of values. */
class Mean {
  private sum = 0
  private n = 0

  add(value: number): void {
    this.sum += value
    this.n++
  }

  get value(): number | undefined {
    return this.n === 0 ? undefined : this.sum / this.n
  }
}

/** Counts jobs as they finish, and says how the work is doing. */
export class ProgressMeter {
  private readonly threads: number
  private readonly total: number
  private readonly start = performance.now()
  private readonly accuracy = new Map<string, Mean>()
  private readonly seconds = new Map<string, Mean>()
  private readonly allSeconds = new Mean()
  private readonly left = new Map<string, number>()
  private done = 0
  private stored = 0

  constructor(jobs: readonly PlannedJob[], threads: number) {
    this.total = jobs.length
    this.threads = threads
    for (const { job } of jobs) this.left.set(job.method, (this.left.get(job.method) ?? 0) + 1)
  }

  /** Counts a finished job; `stored` when it was not run now. */
  add({ label, job }: PlannedJob, { result, samples }: JobResult, stored: boolean): void {
    const { method } = job
    this.done++
    if (stored) this.stored++
    this.left.set(method, (this.left.get(method) as number) - 1)
    const seconds = samples / result.samplesPerSecond
    this.allSeconds.add(seconds)
    entry(this.seconds, method).add(seconds)
    entry(this.accuracy, label).add(result.accuracy)
  }

  report(): ExperimentProgress {
    const { done, stored, total } = this
    const rate = (done - stored) / Math.max(1e-3, (performance.now() - this.start) / 1000)
    return { done, stored, total, rate, secondsLeft: this.secondsLeft(), best: this.best() }
  }

  private secondsLeft(): number | undefined {
    const typical = this.allSeconds.value
    if (typical === undefined) return undefined
    let sum = 0
    for (const [method, count] of this.left) sum += count * (this.seconds.get(method)?.value ?? typical)
    return sum / this.threads
  }

  private best(): ExperimentProgress['best'] {
    let best: ExperimentProgress['best']
    for (const [label, mean] of this.accuracy) {
      if (isBaseline(label)) continue
      const accuracy = mean.value as number
      if (best === undefined || accuracy > best.accuracy) best = { label, accuracy }
    }
    return best
  }
}

function entry(map: Map<string, Mean>, key: string): Mean {
  const found = map.get(key) ?? new Mean()
  map.set(key, found)
  return found
}
