import { type AccuracyTable, bestAt, cellOf } from '../analysis/accuracy-table.ts'
import { rivalTests } from '../analysis/comparison.ts'
import { isPaperStream, PAPER, paperAccuracy } from '../analysis/paper.ts'
import { accuracyOverRho, methodPanels } from '../charts/figures.ts'
import { isBaseline, methodTitle } from '../experiment/method-names.ts'
import { mean } from '../statistics/summary.ts'
import { type ReportSection, type ReportTable, signed, slug, three } from './report.ts'
import { tableWords } from './words.ts'

/**
 * Table I and Fig. 4 of one stream, with the paper's figures beside ours where the stream is the paper's or its
 * likeness.
 */
export function tableSection(table: AccuracyTable): ReportSection {
  const beside = isPaperStream(table.stream)
  const paper = beside ? paperTable(table) : undefined
  return {
    heading: `Accuracy on ${table.stream}`,
    paragraphs: tableWords(table),
    items: [
      accuracyReportTable(table),
      ...(table.rhos.length > 1
        ? [
            {
              kind: 'figure' as const,
              name: `fig4-accuracy-over-rho-${slug(table.stream)}`,
              caption: `Fig. 4. Accuracy over the share of full labels on ${table.stream}: mean over ${runs(table)}, band ± one standard deviation. The axis is logarithmic in the error, so equal steps are equal ratios of errors.`,
              description: `Line chart of the means of the table above, one line per method, for ρ from ${table.rhos[0]} to ${table.rhos.at(-1)}.`,
              panels: [accuracyOverRho(table)],
              columns: 1,
            },
            {
              kind: 'figure' as const,
              name: `fig4b-methods-${slug(table.stream)}`,
              caption: `Fig. 4b. The same, one panel per method in front of all others.${beside ? ' Diamonds: what the paper prints in its Table I.' : ''}`,
              description: `Line charts of accuracy over ρ, one per method: ${table.methods.map(methodTitle).join(', ')}.`,
              panels: methodPanels({ ...table, methods: ordered(table) }, beside),
              columns: 3,
            },
          ]
        : []),
      ...(paper ? [paper] : []),
      beyondAccuracy(table),
      ...(table.methods.includes('pb-oel') && table.methods.length > 1 ? [pairedTable(table)] : []),
    ],
  }
}

/** Methods by average accuracy, trivial baselines last. */
function ordered({ methods, averages }: AccuracyTable): string[] {
  return [...methods].sort((a, b) => Number(isBaseline(a)) - Number(isBaseline(b)) || averages[b] - averages[a])
}

const runs = (table: AccuracyTable): string => {
  const count = table.cells[0].accuracies.length
  return `${count} ${count === 1 ? 'run' : 'runs'}`
}

function accuracyReportTable(table: AccuracyTable): ReportTable {
  const methods = ordered(table)
  const best = new Map(table.rhos.map((rho) => [rho, bestAt(table, rho)]))
  return {
    kind: 'table',
    name: `table1-${slug(table.stream)}`,
    caption: `Table I. Accuracy on ${table.stream} (${table.samples.toLocaleString('en-US')} samples), mean and sample standard deviation over ${runs(table)}, by share of full labels ρ. Best of each column in bold; trivial baselines are set apart and not ranked. ε: share of assessments drawn at random by rule, which costs accuracy.`,
    header: ['method', ...table.rhos.map((rho) => `ρ = ${rho}`), 'ε', 'average', 'rank'],
    notes: 'std',
    rows: methods.map((method) => [
      { text: methodTitle(method), strong: method === 'pb-oel' },
      ...table.rhos.map((rho) => {
        const { mean, std } = cellOf(table, method, rho)
        return { text: three(mean), note: `± ${three(std)}`, strong: best.get(rho)?.includes(method) === true }
      }),
      { text: String(table.epsilons[method] ?? '–') },
      { text: three(table.averages[method]), strong: table.ranks[method] === 1 },
      { text: table.ranks[method] === null ? '–' : String(table.ranks[method]), strong: table.ranks[method] === 1 },
    ]),
    divideAt: methods.findIndex(isBaseline),
  }
}

function paperTable(table: AccuracyTable): ReportTable | undefined {
  const methods = Object.keys(PAPER.accuracy).filter((method) => table.methods.includes(method))
  const rhos = table.rhos.filter((rho) => PAPER.rho.includes(rho))
  if (methods.length === 0 || rhos.length === 0) return undefined
  return {
    kind: 'table',
    name: `table1-beside-paper-${slug(table.stream)}`,
    caption: `Our accuracies beside the paper's Table I: ours − paper's mean accuracy, below it ours and the paper's. Blue: ours is higher, orange: the paper's is. ${PAPER.citation}`,
    header: ['method', ...rhos.map((rho) => `ρ = ${rho}`), 'average'],
    notes: 'ours | paper',
    rows: methods.map((method) => {
      const pairs = rhos.map((rho) => [cellOf(table, method, rho).mean, paperAccuracy(method, rho) as number])
      const averages = [0, 1].map((side) => mean(pairs.map((pair) => pair[side])))
      const cells = [...pairs, averages].map(([ours, theirs]) => ({
        text: signed(ours - theirs),
        note: `${three(ours)} | ${three(theirs)}`,
        tone: Math.max(-1, Math.min(1, (ours - theirs) / 0.2)),
      }))
      return [{ text: methodTitle(method), strong: method === 'pb-oel' }, ...cells]
    }),
  }
}

/** What accuracy does not tell: κ-temporal, macro-F1, misses and false alarms, averaged over all ρ. */
function beyondAccuracy(table: AccuracyTable): ReportTable {
  const methods = ordered(table)
  return {
    kind: 'table',
    name: `beyond-accuracy-${slug(table.stream)}`,
    caption: `What accuracy does not tell, on ${table.stream}, averaged over all ρ and runs. κ-temporal measures from the accuracy of repeating the previous true level (0) to perfection (1). Misses were assessed safer than they were, false alarms less safe; per 1,000 samples.`,
    header: ['method', 'accuracy', 'κ', 'κ-temporal', 'macro-F1', 'misses ‰', 'false alarms ‰', 'refitted networks'],
    rows: methods.map((method) => {
      const results = table.cells
        .filter((cell) => cell.method === method)
        .flatMap(({ results }) => results.map(({ result }) => result))
      const average = (pick: (result: (typeof results)[number]) => number) => mean(results.map(pick))
      return [
        { text: methodTitle(method), strong: method === 'pb-oel' },
        { text: three(table.averages[method]) },
        { text: three(average(({ kappa }) => kappa)) },
        { text: three(average(({ kappaTemporal }) => kappaTemporal)).replace('-', '−') },
        { text: three(average(({ macroF1 }) => macroF1)) },
        { text: ((1000 * average(({ misses }) => misses)) / table.samples).toFixed(1) },
        { text: ((1000 * average(({ falseAlarms }) => falseAlarms)) / table.samples).toFixed(1) },
        { text: average(({ drifts }) => drifts).toFixed(1) },
      ]
    }),
    divideAt: methods.findIndex(isBaseline),
  }
}

function pairedTable(table: AccuracyTable): ReportTable {
  const tests = rivalTests(table, 'pb-oel').sort((a, b) => b.difference - a.difference)
  const shares = (rhos: readonly number[]) =>
    rhos.length === 0 ? '–' : rhos.length === table.rhos.length ? 'all' : rhos.join(', ')
  const probability = (p: number) => (Number.isNaN(p) ? '–' : p < 0.001 ? '< 0.001' : p.toFixed(3))
  return {
    kind: 'table',
    name: `paired-tests-${slug(table.stream)}`,
    caption: `PB-OEL against each other method on ${table.stream}: difference of average accuracy, paired t test over ${runs(table)} (one pair per seed, averaged over ρ), p with Holm's correction, and the shares ρ at which PB-OEL is ahead, level (to three digits) or behind. Few runs make a weak test.`,
    header: ['against', 'difference', 'p', 'p (Holm)', 'ahead at ρ', 'level at ρ', 'behind at ρ'],
    rows: tests.map(({ rival, difference, pValue, corrected, wins, ties, losses }) => [
      { text: methodTitle(rival) },
      { text: signed(difference), tone: Math.max(-1, Math.min(1, difference / 0.2)) },
      { text: probability(pValue) },
      { text: probability(corrected), strong: corrected < 0.05 },
      { text: shares(wins) },
      { text: shares(ties) },
      { text: shares(losses) },
    ]),
  }
}
