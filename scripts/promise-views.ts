// Passages of docs/promises.md that are made from what `pb-oel promises` and `pb-oel run` have stored.
import { mean } from '../packages/lab/src/statistics/summary.ts'
import { markdownRow, markdownTable } from './figure-table.ts'

/** What `pb-oel promises --json` prints, as far as the tables need it. */
interface StoredPromises {
  readonly stream: string
  readonly missTarget: number
  readonly rows: readonly (Readonly<
    Record<
      'accuracy' | 'certified' | 'safeSideMisses' | 'safeSideAbove' | 'calibrationError' | 'rawCalibrationError',
      number
    >
  > & { readonly id: string })[]
}

const GOALS: Readonly<Record<string, number>> = { '2': 0.97, '5': 0.98 }
const CERTIFIED_BY: Readonly<Record<string, string>> = {
  learned: 'every answer is learned, the checks only certify (`learned-2`, `learned-5`)',
  checked: 'the checks are the only answers (`checked-2`, `checked-5`)',
}

/** Accuracy and what was certified of it, with 2 and 5 % checked. */
export function certified({ rows }: StoredPromises): string {
  const lines = Object.entries(CERTIFIED_BY).flatMap(([kind, name]) =>
    Object.entries(GOALS).map(([share, goal], i) => {
      const row = rows.find(({ id }) => id === `${kind}-${share}`)
      if (!row) throw new Error(`the stored result has no ${kind}-${share}`)
      const figures = [row.accuracy, row.certified].map((value) => value.toFixed(3))
      return markdownRow([i === 0 ? name : '', `${share} %`, ...figures, row.certified >= goal ? 'met' : 'missed'])
    }),
  )
  return markdownTable(['setting', 'checked', 'accuracy', 'certified', 'goal'], lines)
}

const named = ({ stream }: StoredPromises) => stream.split('.')[0]

/** Misses of the safe-side level, and how often it is above the level, for each target. */
export function targets(results: readonly StoredPromises[]): string {
  const lines = ['0.01', '0.005', '0.002'].map((target) => {
    const cells = ['dive', 'skab'].map((name) => {
      const found = results.find((one) => named(one) === name && one.missTarget === Number(target))
      if (!found) throw new Error(`the stored results have no ${name} with ${target}`)
      const [{ safeSideMisses, safeSideAbove }] = found.rows
      const above = 100 * safeSideAbove
      return `${safeSideMisses.toFixed(4)}, ${above.toFixed(above < 1 ? 1 : 0)} %`
    })
    return markdownRow([target, ...cells])
  })
  return markdownTable(['target α', 'dive: misses of U, U above the level', 'skab'], lines)
}

/** Errors of calibration, raw and recalibrated, a column for each stream. */
export function calibration(results: readonly StoredPromises[]): string {
  const first = [...Map.groupBy(results, named).values()].map(([one]) => one)
  const line = (title: string, figure: 'rawCalibrationError' | 'calibrationError') =>
    markdownRow([title, ...first.map(({ rows }) => rows[0][figure].toFixed(4))])
  return markdownTable(
    ['', ...first.map(named)],
    [line('raw', 'rawCalibrationError'), line('recalibrated', 'calibrationError')],
  )
}

/** What `pb-oel run --json` prints, as far as the bound of the regret needs it. */
interface StoredBound {
  readonly command: string
  readonly result: {
    readonly mean: number
    readonly runs: readonly {
      readonly bound: {
        readonly ultimate: number
        readonly regretWithConfidence: { readonly value: number }
      }
      readonly accuracy: number
    }[]
  }
}

/** Accuracy, bound of the regret and regret of PB-OEL+ at ρ = 0, the dives of all stream seeds together. */
export function regrets(results: readonly StoredBound[]): string {
  const names: Readonly<Record<string, string>> = {
    'dive:seed=': 'dive, mean of stream seeds 1 … 6',
    'skab.csv.gz': 'skab',
    'electricity.csv.gz': 'electricity',
    'weather.csv.gz': 'weather',
    'delay=200': 'dive, every answer 200 late (one seed)',
  }
  const lines = Object.entries(names).map(([word, name]) => {
    const runs = results
      .filter(({ command }) => command.includes(word) && command.includes('--rho 0 '))
      .flatMap(({ result }) => result.runs)
    const figures = [
      mean(runs.map(({ accuracy }) => accuracy)),
      mean(runs.map(({ bound }) => bound.regretWithConfidence.value)),
      mean(runs.map(({ bound, accuracy }) => bound.ultimate - accuracy)),
    ]
    return markdownRow([name, ...figures.map((value) => value.toFixed(4))])
  })
  const title = '`pb-oel-plus`, ρ = 0, answers at once, three seeds'
  return markdownTable([title, 'accuracy', 'bound X', 'regret'], lines)
}
