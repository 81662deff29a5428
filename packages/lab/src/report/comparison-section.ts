import type { StreamComparison } from '../analysis/comparison.ts'
import { criticalDifferenceDiagram } from '../charts/critical-difference.ts'
import { methodTitle } from '../experiment/method-names.ts'
import { listed, type ReportSection } from './report.ts'

/** All streams together: mean ranks and which differences are real. */
export function comparisonSection(comparison: StreamComparison): ReportSection {
  const { methods, ranks, streams, chiSquared, pValue, f, fPValue, criticalDifference } = comparison
  const order = methods.map((method, i) => ({ method, rank: ranks[i] })).sort((a, b) => a.rank - b.rank)
  const own = order.find(({ method }) => method === 'pb-oel')
  const worse = own
    ? order.filter(({ rank }) => rank - own.rank > criticalDifference).map(({ method }) => methodTitle(method))
    : []
  const p = (value: number) => (value < 0.001 ? '< 0.001' : `= ${value.toFixed(3)}`)
  return {
    heading: `All ${streams.length} streams together`,
    paragraphs: [
      `Friedman test over ${listed(streams)}, one block per stream (accuracy averaged over ρ): χ² = ${chiSquared.toFixed(2)}, p ${p(pValue)}; Iman and Davenport's F = ${f === Infinity ? '∞' : f.toFixed(2)}, p ${p(fPValue)}. Critical difference of mean ranks at 5 % (Nemenyi): ${criticalDifference.toFixed(2)}; with ${streams.length} streams only large differences can be told.`,
      ...(own
        ? [
            `PB-OEL has mean rank ${own.rank.toFixed(2)}, ${own === order[0] ? 'the best' : `behind ${methodTitle(order[0].method)} (${order[0].rank.toFixed(2)})`}. ${worse.length > 0 ? `It is better than ${listed(worse)} beyond the critical difference.` : 'No method is worse beyond the critical difference.'}`,
          ]
        : []),
    ],
    items: [
      {
        kind: 'figure',
        name: 'critical-difference',
        caption: `Critical-difference diagram over ${listed(streams)} (Friedman and Nemenyi, after Demšar 2006).`,
        description: `Mean ranks: ${order.map(({ method, rank }) => `${methodTitle(method)} ${rank.toFixed(2)}`).join(', ')}.`,
        panels: [criticalDifferenceDiagram(comparison)],
        columns: 1,
      },
    ],
  }
}
