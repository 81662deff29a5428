import type { AccuracyTable } from '../analysis/accuracy-table.ts'
import { isPaperStream } from '../analysis/paper.ts'
import { accuracyOverTime } from '../charts/figures.ts'
import { listed, type ReportFigure, type ReportSection, slug } from './report.ts'

/** Fig. 5: accuracy over time, one panel per share of labels. */
export function curvesSection(table: AccuracyTable): ReportSection {
  const { stream, rhos } = table
  const runs = table.cells[0].accuracies.length
  const marks = 'Triangles mark where networks of PB-OEL were refitted after drift (first run).'
  const ends = isPaperStream(stream) ? ' Diamonds: where the curves of the paper end, by its Table I.' : ''
  const figure = (quantity: 'accuracy' | 'window', name: string, what: string): ReportFigure => ({
    kind: 'figure',
    name: `${name}-${slug(stream)}`,
    caption: `${what} on ${stream}, mean over ${runs} ${runs === 1 ? 'run' : 'runs'}, band ± one standard deviation. ${marks}${quantity === 'accuracy' ? ends : ''}`,
    description: `Line charts of accuracy over time, one per share of labels: ρ = ${listed(rhos.map(String))}.`,
    panels: rhos.map((rho) => accuracyOverTime(table, rho, quantity, isPaperStream(stream))),
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
