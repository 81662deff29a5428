import { type AccuracyTable, cellOf } from '../analysis/accuracy-table.ts'
import { type Suite, type SuiteShare, twoLevelsWords } from '../analysis/suite.ts'
import { criticalDifferenceDiagram } from '../charts/critical-difference.ts'
import { methodTitle } from '../experiment/method-names.ts'
import { type ReportSection, type ReportTable, three } from './report.ts'

/** One section per share of labels: who is first, what differences are real, and where each method is weakest. */
export function suiteSections(suite: Suite, tables: readonly AccuracyTable[]): ReportSection[] {
  return suite.shares.map((share): ReportSection => {
    const { rho, standings, test } = share
    const [best] = standings
    const count = suite.streams.length
    const note = twoLevelsWords(suite)
    return {
      heading: `${count === 1 ? '1 stream' : `All ${count} streams`} at ρ = ${rho}`,
      paragraphs: [
        `At ρ = ${rho} ${methodTitle(best.method)} has the best mean rank, ${best.rank.toFixed(2)}; it is first on ${best.first} of ${count === 1 ? '1 stream' : `${count} streams`} and nowhere more than ${three(best.worstGap)} behind (${best.worstStream}).`,
        ...(test ? [testWords(share)] : []),
        ...(note === '' ? [] : [note]),
      ],
      items: [
        standingsTable(share, count),
        accuraciesTable(share, tables),
        ...(test
          ? [
              {
                kind: 'figure' as const,
                name: `suite-ranks-rho-${rho}`,
                caption: `Mean ranks at ρ = ${rho} (Friedman and Nemenyi, after Demšar 2006).`,
                description: `Mean ranks: ${standings.map(({ method, rank }) => `${methodTitle(method)} ${rank.toFixed(2)}`).join(', ')}.`,
                panels: [criticalDifferenceDiagram(test)],
                columns: 1,
              },
            ]
          : []),
      ],
    }
  })
}

function testWords({ test }: SuiteShare): string {
  const { chiSquared, pValue, criticalDifference } = test as NonNullable<SuiteShare['test']>
  const p = pValue < 0.001 ? '< 0.001' : `= ${pValue.toFixed(3)}`
  return `Friedman test, one block per stream: χ² = ${chiSquared.toFixed(2)}, p ${p}. Mean ranks further apart than ${criticalDifference.toFixed(2)} differ at 5 % (Nemenyi).`
}

function standingsTable({ rho, standings }: SuiteShare, streams: number): ReportTable {
  return {
    kind: 'table',
    name: `suite-standings-rho-${rho}`,
    caption: `Standings at ρ = ${rho}: mean rank, streams on which no method is better, mean accuracy, and the largest distance to the best method.`,
    header: ['method', 'mean rank', `first, of ${streams}`, 'mean accuracy', 'worst gap', 'on'],
    rows: standings.map(({ method, rank, first, mean, worstGap, worstStream }, i) => [
      { text: methodTitle(method), strong: i === 0 },
      { text: rank.toFixed(2) },
      { text: String(first) },
      { text: three(mean) },
      { text: three(worstGap) },
      { text: worstGap > 0 ? worstStream : '–' },
    ]),
  }
}

function accuraciesTable({ rho, standings }: SuiteShare, tables: readonly AccuracyTable[]): ReportTable {
  const methods = standings.map(({ method }) => method)
  return {
    kind: 'table',
    name: `suite-accuracies-rho-${rho}`,
    caption: `Accuracy at ρ = ${rho} by stream, methods by mean rank. Best of each row in bold.`,
    header: ['stream', ...methods.map(methodTitle)],
    rows: tables.map((table) => {
      const accuracies = methods.map((method) => cellOf(table, method, rho).mean)
      const best = three(Math.max(...accuracies))
      return [
        { text: table.stream },
        ...accuracies.map((accuracy) => ({ text: three(accuracy), strong: three(accuracy) === best })),
      ]
    }),
  }
}
