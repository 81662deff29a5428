import { type Landscape, landscapes } from '../analysis/landscape.ts'
import { isPaperStream, paperAccuracy } from '../analysis/paper.ts'
import { heatMap } from '../charts/heat-map.ts'
import type { ExperimentResult } from '../experiment/run-experiments.ts'
import { listed, type ReportSection, type ReportTable, slug, three } from './report.ts'
import { landscapeWords } from './words.ts'

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
          caption: `Fig. 3. Accuracy of PB-OEL on ${stream} over the scaling factor c and the restart exponent α. Dots: γ cut to 1. Thick frame: the best point. Dashed frame: the region the paper recommends. Same colours in all panels. The paper prints one point of a panel, c = 0.1 and α = 0.8, in its Table I.`,
          description: `Heat maps of accuracy with values, for ρ = ${listed(panels.map(({ rho }) => String(rho)))}.`,
          panels: panels.map((panel) =>
            heatMap(panel, range, isPaperStream(stream) ? paperAccuracy('pb-oel', panel.rho) : undefined),
          ),
          columns: 2,
        },
        landscapeTable(stream, panels),
      ],
    }
  })
}

function landscapeTable(stream: string, panels: readonly Landscape[]): ReportTable {
  const [{ points: grid }] = panels
  return {
    kind: 'table',
    name: `landscape-${slug(stream)}`,
    caption: `Accuracy of PB-OEL on ${stream} by c and α, the figures of the paper’s Fig. 3.`,
    header: ['c', 'α', ...panels.map(({ rho }) => `ρ = ${rho}`)],
    rows: grid.map(({ c, alpha }) => [
      { text: String(c) },
      { text: String(alpha) },
      ...panels.map(({ points }) => ({
        text: three(points.find((p) => p.c === c && p.alpha === alpha)?.accuracy ?? Number.NaN),
      })),
    ]),
  }
}
