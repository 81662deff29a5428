import type { AccuracyTable } from '@pb-oel/lab'
import { counted, textTable } from './text-table.ts'

/** Table I as text: methods by average, the best of each column with a star. */
export function accuracyText(table: AccuracyTable): string[] {
  const { methods, rhos, cells, averages, epsilons, ranks, stream, samples } = table
  const ordered = [...methods].sort(
    (a, b) => Number(ranks[a] === null) - Number(ranks[b] === null) || averages[b] - averages[a],
  )
  const best = (rho: number) =>
    Math.max(...cells.filter((cell) => cell.rho === rho && ranks[cell.method] !== null).map(({ mean }) => mean))
  const tops = new Map(rhos.map((rho) => [rho, best(rho).toFixed(3)]))
  const rows = ordered.map((method) => [
    method,
    ...rhos.map((rho) => {
      const cell = cells.find((cell) => cell.method === method && cell.rho === rho)
      if (!cell) return '–'
      const mean = cell.mean.toFixed(3)
      const star = ranks[method] !== null && mean === tops.get(rho) ? '*' : ' '
      return `${mean}±${cell.std.toFixed(3)}${star}`
    }),
    String(epsilons[method] ?? '–'),
    averages[method].toFixed(3),
    ranks[method] === null ? '–' : String(ranks[method]),
  ])
  const runs = cells[0].accuracies.length
  return [
    `${stream}: ${counted(samples, 'sample')}, mean ± standard deviation over ${counted(runs, 'run')}; * best of its column, baselines unranked`,
    '',
    textTable(['method', ...rhos.map((rho) => `ρ=${rho} `), 'ε', 'average', 'rank'], rows),
    '',
    'ε: share of assessments drawn at random by rule, which costs accuracy; – where the method has no such rule',
  ]
}
