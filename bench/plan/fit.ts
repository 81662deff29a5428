/** Finds what everything costs from two measured cells: `node bench/plan/fit.ts` prints the costs for measured.ts. */
import { type CellReport, type Costs, simulateCell } from './cell.ts'
import { COSTS, FITTED, type MeasuredCell } from './measured.ts'

/** How much each figure counts: the rate most, then processor time. */
const WEIGHTS = { rate: 3, bundle: 0.5, latency: 1, processor: 2 }
const ROUNDS = 400
const SIZES = [1.5, 0.5, 0.15, 0.05]

/** Sum of the squared relative errors of a simulated cell. */
function errorOf(measured: MeasuredCell, costs: Costs): number {
  const found: CellReport = simulateCell(measured.cell, costs, 1.5, 0.5)
  const off = (simulated: number, value: number | undefined) => (value ? Math.log(simulated / value) ** 2 : 0)
  const { processor, samplesPerSecond, samplesPerMessage, latency } = measured
  return (
    WEIGHTS.rate * off(found.samplesPerSecond, samplesPerSecond) +
    WEIGHTS.bundle * off(found.samplesPerMessage, samplesPerMessage) +
    // A wait that the simulation does not know would be made up for by a wrong cost.
    (measured.cell.systems > 100 ? 0 : WEIGHTS.latency * off(found.latency.median, latency)) +
    WEIGHTS.processor *
      (off(found.processor.workers, processor.workers) + off(found.processor.servers, processor.servers)) +
    off(found.processor.clients, processor.clients) / 2
  )
}

function costsOf([a, b, c, d, e, f, g, h]: readonly number[]): Costs {
  return {
    worker: { turn: a, message: b, sample: c },
    servers: { turn: d, message: e, sample: f },
    clients: { turn: g, message: 0, sample: h },
    request: COSTS.request,
  }
}

let seed = 1
/** The same numbers in each run. */
function chance(): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
  return seed / 2 ** 31
}

const total = (values: readonly number[]) =>
  FITTED.reduce((sum, measured) => sum + errorOf(measured, costsOf(values)), 0)
let best: readonly number[] = [0.3, 0.15, 0.05, 0.3, 0.1, 0.03, 0.05, 0.02]
let least = total(best)
for (let round = 0; round < ROUNDS; round++) {
  const size = SIZES[round % SIZES.length]
  const values = best.map((value) => (chance() < 0.4 ? value * Math.exp(size * (2 * chance() - 1)) : value))
  const error = total(values)
  if (error < least) [least, best] = [error, values]
  if (round % 50 === 0) process.stderr.write(`round ${round} of ${ROUNDS}: error ${least.toFixed(3)}\n`)
}
process.stdout.write(`${JSON.stringify(costsOf(best.map((value) => Number(value.toFixed(3)))), null, 2)}\n`)
