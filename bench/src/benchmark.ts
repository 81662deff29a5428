/** One figure: the middle and the spread of its repetitions. */
export interface Result {
  /** Name of the benchmark, such as `kernel`. */
  readonly benchmark: string
  /** What was measured, such as `D=124 N=10 simd`. */
  readonly variant: string
  readonly median: number
  /** 10th percentile. Other work on the machine only ever slows, so this is the steadiest figure. */
  readonly low: number
  /** 90th percentile. */
  readonly high: number
  /** Of the three figures above: `µs`, `ms`, or for a derived figure what it is. */
  readonly unit: string
  /** How many times as fast as the first variant measured beside it. */
  readonly ratio?: number
}

/** What a benchmark is given. */
export interface BenchContext {
  /** Seconds to spend on each comparison. */
  readonly seconds: number
}

/** Something whose speed matters; one file each, listed in `index.ts`. */
export interface Benchmark {
  /** Its name on the command line. */
  readonly name: string
  /** One line for lists. */
  readonly summary: string
  run(context: BenchContext): Result[] | Promise<Result[]>
}
