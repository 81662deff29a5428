import type { Result } from './benchmark.ts'

/** One of several things compared. */
export interface Variant {
  readonly name: string
  /** Does the work once. */
  run(): void
}

/** What a variant took. */
export interface Timing {
  readonly name: string
  /** Microseconds of one `run`, round by round; entry i of all timings belongs to the same round. */
  readonly times: readonly number[]
}

/** Milliseconds a variant is timed before the next one has its turn. */
const TURN = 10
/** The least number of rounds, however slow the variants. */
const ROUNDS = 7

/**
 * Measures variants in turns of `turn` milliseconds, round after round, so that whatever else the machine does
 * meanwhile falls on all of them alike. Each turn begins with an equally long one that is not timed and fills the
 * caches: a variant with megabytes of state needs a longer turn to run as it would alone.
 *
 * @param clock in milliseconds; {@link processorTime} where small differences matter more than threads
 */
export function interleave(
  variants: readonly Variant[],
  seconds: number,
  turn = TURN,
  clock: () => number = () => performance.now(),
): Timing[] {
  const entries = variants.map((variant) => ({
    variant,
    calls: callsPerTurn(variant, turn, clock),
    times: [] as number[],
  }))
  const end = performance.now() + seconds * 1000
  for (let round = 0; round < ROUNDS || performance.now() < end; round++) {
    for (const { variant, calls, times } of entries) {
      for (let i = 0; i < calls; i++) variant.run()
      const start = clock()
      for (let i = 0; i < calls; i++) variant.run()
      times.push(((clock() - start) * 1000) / calls)
    }
  }
  return entries.map(({ variant, times }) => ({ name: variant.name, times }))
}

/** Milliseconds that the processor has worked for this program: it stands still while others have their turn. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** How often a variant runs in a turn, after it has been warm for the optimising compilers. */
function callsPerTurn(variant: Variant, turn: number, clock: () => number): number {
  const start = clock()
  let runs = 0
  do {
    variant.run()
    runs++
  } while (clock() - start < 100)
  return Math.max(1, Math.round((turn * runs) / (clock() - start)))
}

/** The timings of one comparison as results, each with its ratio to the first. */
export function timeResults(benchmark: string, timings: readonly Timing[], label = ''): Result[] {
  return timings.map(({ name, times }) => ({
    benchmark,
    variant: `${label}${name}`,
    ...spread(times),
    unit: 'µs',
    ...(timings.length > 1 && { ratio: spread(ratios(timings[0].times, times)).median }),
  }))
}

/** How many times as fast `fast` is as `slow`, round by round. */
export function ratioResult(benchmark: string, fast: Timing, slow: Timing, label = ''): Result {
  const variant = `${label}${fast.name} : ${slow.name}`
  return { benchmark, variant, ...spread(ratios(slow.times, fast.times)), unit: 'times as fast' }
}

function ratios(above: readonly number[], below: readonly number[]): number[] {
  return above.map((time, round) => time / below[round])
}

/** Median, 10th and 90th percentile. */
export function spread(values: readonly number[]): { median: number; low: number; high: number } {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))]
  return { median: at(0.5), low: at(0.1), high: at(0.9) }
}

/** The exponent b of y = a·x^b, fitted by least squares on logarithms. */
export function fittedExponent(points: readonly (readonly [x: number, y: number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)])
  const mean = (column: number) => logs.reduce((sum, point) => sum + point[column], 0) / logs.length
  const [mx, my] = [mean(0), mean(1)]
  const above = logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0)
  return above / logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0)
}
