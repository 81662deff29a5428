import type { AccuracyTable } from '../analysis/accuracy-table.ts'
import type { StreamComparison } from '../analysis/comparison.ts'
import { type Landscape, landscapes } from '../analysis/landscape.ts'
import { methodTitle } from '../analysis/method-names.ts'
import { criticalDifferenceDiagram } from '../charts/critical-difference.ts'
import { accuracyOverTime, boundOverTime } from '../charts/figures.ts'
import { heatMap } from '../charts/heat-map.ts'
import type { ExperimentResult } from '../experiment/run-experiments.ts'
import { mean } from '../statistics/summary.ts'
import { listed, type ReportFigure, type ReportSection, type ReportTable, slug, three } from './report.ts'
import { boundWords, landscapeWords } from './words.ts'

/** Fig. 5: accuracy over time, one panel a share of labels. */
export function curvesSection(table: AccuracyTable): ReportSection {
  const { stream, rhos } = table
  const runs = table.cells[0].accuracies.length
  const marks = 'Triangles mark where experts of PB-OEL were rebuilt after drift (first run).'
  const figure = (quantity: 'accuracy' | 'window', name: string, what: string): ReportFigure => ({
    kind: 'figure',
    name: `${name}-${slug(stream)}`,
    caption: `${what} on ${stream}, mean over ${runs} ${runs === 1 ? 'run' : 'runs'}, band ± one standard deviation. ${marks}`,
    description: `Line charts of accuracy over time, one a share of labels: ρ = ${listed(rhos.map(String))}.`,
    panels: rhos.map((rho) => accuracyOverTime(table, rho, quantity)),
    columns: 2,
  })
  return {
    heading: `Accuracy over time on ${stream}`,
    paragraphs: [
      'The prequential accuracy of the paper counts all samples so far; the accuracy of the latest 1,000 samples shows how each method falls at a change and comes back.',
    ],
    items: [
      figure('accuracy', 'fig5-prequential', 'Fig. 5. Prequential accuracy: share of right assessments so far'),
      figure('window', 'fig5b-latest-1000', 'Fig. 5b. Accuracy of the latest 1,000 samples'),
    ],
  }
}

/** Fig. 3: accuracy over c × α. */
export function landscapeSections(results: readonly ExperimentResult[]): ReportSection[] {
  return [...Map.groupBy(landscapes(results), ({ stream }) => stream)].map(([stream, panels]) => {
    const values = panels.flatMap(({ points }) => points.map(({ accuracy }) => accuracy))
    const range: [number, number] = [Math.min(...values), Math.max(...values)]
    return {
      heading: `Exploration and restarts on ${stream}`,
      paragraphs: panels.map(landscapeWords),
      items: [
        {
          kind: 'figure',
          name: `fig3-landscape-${slug(stream)}`,
          caption: `Fig. 3. Accuracy of PB-OEL on ${stream} over the scaling factor c and the restart exponent α. Dots: γ cut to 1. Thick frame: the best place. Dashed frame: the region the paper recommends. Same colours in all panels.`,
          description: `Heat maps of accuracy with values, for ρ = ${listed(panels.map(({ rho }) => String(rho)))}.`,
          panels: panels.map((panel) => heatMap(panel, range)),
          columns: 2,
        },
        landscapeTable(stream, panels),
      ],
    }
  })
}

function landscapeTable(stream: string, panels: readonly Landscape[]): ReportTable {
  const places = panels[0].points
  return {
    kind: 'table',
    name: `landscape-${slug(stream)}`,
    caption: `Fig. 3 in figures: accuracy of PB-OEL on ${stream}.`,
    header: ['c', 'α', ...panels.map(({ rho }) => `ρ = ${rho}`)],
    rows: places.map(({ c, alpha }) => [
      { text: String(c) },
      { text: String(alpha) },
      ...panels.map(({ points }) => ({
        text: three(points.find((p) => p.c === c && p.alpha === alpha)?.accuracy ?? Number.NaN),
      })),
    ]),
  }
}

/** Guarantee and reality of each policy. */
export function boundSections(results: readonly ExperimentResult[]): ReportSection[] {
  const bounded = results.filter(({ result }) => result.bound.value !== null)
  return [...Map.groupBy(bounded, ({ streamName }) => streamName)].map(([stream, runs]) => {
    const groups = [...Map.groupBy(runs, ({ label, job }) => `${label}|${job.rho}`).values()]
    return {
      heading: `Guarantee and reality on ${stream}`,
      paragraphs: [boundWords(runs)],
      items: [
        {
          kind: 'figure',
          name: `bounds-${slug(stream)}`,
          caption: `What each policy was promised and what it reached on ${stream}: accuracy, the best single expert, the ultimate bound (best expert of each batch) and the guaranteed expected accuracy (Theorem 1, Corollaries 1 and 2). Triangles: rebuilt experts. Dotted lines: restarts of the weights.`,
          description:
            'Line charts of accuracy, best expert, ultimate bound and guarantee over time, one a policy and share of labels.',
          panels: groups.map(boundOverTime),
          columns: 2,
        },
        boundTable(stream, groups),
      ],
    }
  })
}

function boundTable(stream: string, groups: readonly ExperimentResult[][]): ReportTable {
  return {
    kind: 'table',
    name: `bounds-${slug(stream)}`,
    caption: `Guarantee and reality on ${stream} at the end of the stream, mean over runs. The guarantee holds for the expected accuracy.`,
    header: ['policy', 'ρ', 'accuracy', 'best expert', 'ultimate bound', 'regret paid', 'guaranteed', 'applies'],
    rows: groups.map((runs) => {
      const average = (pick: (result: ExperimentResult) => number | null) =>
        three(mean(runs.map((run) => pick(run) as number)))
      const [{ label, job }] = runs
      const applying = runs.filter(({ result }) => result.bound.applies).length
      return [
        { text: methodTitle(label), strong: label === 'pb-oel' },
        { text: String(job.rho) },
        { text: average(({ result }) => result.accuracy), strong: true },
        { text: average(({ result }) => result.bound.bestExpert) },
        { text: average(({ result }) => result.bound.ultimate) },
        { text: average(({ result }) => result.bound.regret).replace('-', '−') },
        { text: average(({ result }) => result.bound.value).replace('-', '−') },
        { text: applying === runs.length ? 'yes' : applying === 0 ? 'no' : `${applying} of ${runs.length}` },
      ]
    }),
  }
}

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
      `Friedman test over ${listed(streams)}, one block a stream (accuracy averaged over ρ): χ² = ${chiSquared.toFixed(2)}, p ${p(pValue)}; Iman and Davenport's F = ${f === Infinity ? '∞' : f.toFixed(2)}, p ${p(fPValue)}. Critical difference of mean ranks at 5 % (Nemenyi): ${criticalDifference.toFixed(2)}; with ${streams.length} streams only large differences can be told.`,
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
