import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { accuracyTables } from '../analysis/accuracy-table.ts'
import { landscapes } from '../analysis/landscape.ts'
import { compareSuite } from '../analysis/suite.ts'
import type { ExperimentSet } from '../experiment/experiment.ts'
import { testFolder } from '../testing/folder.ts'
import { madeUpResult, tableResults } from '../testing/results.ts'
import { boundSections } from './bounds-section.ts'
import { comparisonSection } from './comparison-section.ts'
import { toCsv, toLatex } from './formats.ts'
import { landscapeSections } from './landscape-section.ts'
import { listed, type ReportSection, type ReportTable, signed, slug, three } from './report.ts'
import { suiteSections } from './suite-section.ts'
import { tableSection } from './table-section.ts'
import { boundWords, landscapeWords, tableFindings, tableWords } from './words.ts'
import { rawCsv, writeReport } from './write-report.ts'

const folder = testFolder()
const RHOS = [0, 0.05, 1]

describe('words', () => {
  const words = (means: Record<string, readonly number[]>, stream = 'dive') =>
    tableWords(accuracyTables(tableResults(stream, RHOS, means))[0]).join('\n')

  it('say where PB-OEL wins and where it loses', () => {
    const text = words({ 'pb-oel': [0.9, 0.92, 0.94], srp: [0.7, 0.91, 0.96], rvfl: [0.3, 0.4, 0.5] })
    expect(text).toContain('PB-OEL has the highest average accuracy of the 3 methods: an average accuracy of 0.920')
    expect(text).toContain('0.063 ahead of SRP (0.857)')
    expect(text).toContain('best or level with the best at ρ = 0 and 0.05')
    expect(text).toContain('It loses to SRP at ρ = 1 (by 0.020)')
    expect(text).toContain('ahead of RVFL at every share')
  })

  it('say so when it does not win', () => {
    const text = words({ 'pb-oel': [0.5, 0.5, 0.5], srp: [0.7, 0.8, 0.9], arf: [0.6, 0.7, 0.8], rvfl: [0.1, 0.1, 0.1] })
    expect(text).toContain('PB-OEL is number 3 of 4')
    expect(text).toContain('behind SRP (0.800) and ARF (0.700)')
    expect(text).toContain(
      'PB-OEL is best at no share of labels. It loses to SRP at every share of labels (by 0.200 to 0.400)',
    )
  })

  it('keep our own extension apart from the methods of the paper', () => {
    const text = words({ 'pb-oel': [0.9, 0.9, 0.9], 'pb-oel-plus': [0.95, 0.95, 0.95], srp: [0.7, 0.8, 0.85] })
    expect(text).toContain('highest average accuracy of the 2 methods of the paper')
    expect(text).toContain('above it stands PB-OEL+ (0.950), which is not in the paper')
    expect(text).toContain('best or level with the best at every share of labels')
  })

  it('say what persistence is worth', () => {
    const text = words({ 'pb-oel': [0.9, 0.9, 0.995], 'no-change': [0.8, 0.95, 0.99] })
    expect(text).toContain('would score 0.990; PB-OEL is above it only at ρ = 1')
    expect(text).toContain('averages 0.913 and is ahead of PB-OEL at ρ = 0.05')
    expect(text).toContain('Levels on this stream persist')
  })

  it('compare with the paper only where the stream is its likeness', () => {
    const means = { 'pb-oel': [0.967, 0.955, 0.992] }
    expect(words(means)).toContain('mean absolute difference is 0.007 for PB-OEL')
    expect(words(means)).toContain('pb-oel data get jiaolong')
    expect(words(means, 'sea')).not.toContain('Table I')
  })

  it('findings are first sentences', () => {
    const [table] = accuracyTables(tableResults('dive', RHOS, { 'pb-oel': [0.9, 0.92, 0.94], srp: [0.7, 0.91, 0.96] }))
    for (const finding of tableFindings(table)) {
      expect(finding).toMatch(/\.$/)
      expect(tableWords(table).some((words) => words.startsWith(finding))).toBe(true)
    }
  })

  it('of landscapes and bounds', () => {
    const points = [0.1, 10].map((c) => madeUpResult({ accuracy: 1 / (1 + c), variant: { c, alpha: 0.8 } }))
    expect(landscapeWords(landscapes(points)[0])).toContain('the best point is c = 0.1, α = 0.8 with 0.909')
    const broken = madeUpResult({ accuracy: 0.5 })
    broken.result.bound = { ...broken.result.bound, applies: false, reason: 'γ was cut' }
    expect(boundWords([madeUpResult({ accuracy: 0.9 }), broken])).toContain(
      'applies to 1 of 2 runs (elsewhere: γ was cut) and was kept in 1',
    )
    expect(boundWords([broken])).toContain('applies to none')
  })
})

describe('formats', () => {
  const table: ReportTable = {
    kind: 'table',
    name: 't',
    caption: '50 % & more_of ρ',
    header: ['method', 'ρ = 0', 'p'],
    notes: 'std',
    rows: [
      [{ text: 'a, "b"' }, { text: '0.900', note: '± 0.010', strong: true }, { text: '−0.5' }],
      [{ text: 'c' }, { text: '0.800', note: '± 0.020' }, { text: '< 0.001' }],
    ],
    divideAt: 1,
  }

  it('CSV quotes, and gives notes a column of their own', () => {
    expect(toCsv(table)).toBe('method,ρ = 0,ρ = 0 std,p\n"a, ""b""",0.900,0.010,-0.5\nc,0.800,0.020,< 0.001\n')
  })

  it('LaTeX escapes, sets the best in bold and draws the rule', () => {
    const latex = toLatex(table)
    expect(latex).toContain('\\caption{50 \\% \\& more\\_of $\\rho$}')
    expect(toLatex({ ...table, caption: 'Table I. Accuracy on it.' })).toContain('\\caption{Accuracy on it.}')
    expect(toLatex({ ...table, caption: 'Table I beside the paper’s' })).toContain('\\caption{Table I beside')
    expect(latex).toContain('\\textbf{0.900 $\\pm$ 0.010}')
    expect(latex).toContain('$-$0.5')
    expect(latex).toContain('\\begin{tabular}{lrr}')
    expect(latex.indexOf('\\midrule\n  c &')).toBeGreaterThan(0)
  })

  it('small words', () => {
    expect([three(-0.1), three(Number.NaN), signed(0.01), signed(-0.01)]).toEqual(['−0.100', '–', '+0.010', '−0.010'])
    expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'])]).toEqual([
      'none',
      'a',
      'a and b',
      'a, b and c',
    ])
    expect(slug('abrupt:at=3+Sea/x.csv')).toBe('abrupt-at-3-sea-x.csv')
  })
})

describe('the tables', () => {
  /** The cells of a table by the name of its file, row after row. */
  const rowsOf = (sections: readonly ReportSection[], name: string) => {
    const items = sections.flatMap(({ items }) => items)
    const table = items.find((item) => item.name === name && item.kind === 'table')
    if (table?.kind !== 'table') return expect.fail(`no table ${name}`)
    return table.rows.map((row) => row.map(({ text, note }) => (note === undefined ? text : `${text} ${note}`)))
  }
  const means = { srp: [0.7, 0.9, 0.96], 'pb-oel': [0.9, 0.92, 0.94], 'no-change': [0.5, 0.5, 0.5] }
  const made = tableResults('dive', RHOS, means).map((one) => ({
    ...one,
    result: { ...one.result, kappa: 0.11, kappaTemporal: -0.22, macroF1: 0.33, misses: 12, falseAlarms: 34, drifts: 5 },
  }))
  const [table] = accuracyTables(made)
  const section = [tableSection(table)]

  it('of accuracies have mean, deviation, average and rank of each method, the best first', () => {
    expect(rowsOf(section, 'table1-dive')).toEqual([
      ['PB-OEL', '0.900 ± 0.014', '0.920 ± 0.014', '0.940 ± 0.014', '–', '0.920', '1'],
      ['SRP', '0.700 ± 0.014', '0.900 ± 0.014', '0.960 ± 0.014', '0.005', '0.853', '2'],
      ['no change', '0.500 ± 0.014', '0.500 ± 0.014', '0.500 ± 0.014', '0.005', '0.500', '–'],
    ])
  })

  it('beside the paper have ours less theirs', () => {
    // Table I of the paper: 0.957, 0.965, 0.992 for PB-OEL.
    expect(rowsOf(section, 'table1-beside-paper-dive')[1].slice(1, 4)).toEqual([
      '−0.057 0.900 | 0.957',
      '−0.045 0.920 | 0.965',
      '−0.052 0.940 | 0.992',
    ])
  })

  it('beyond accuracy have each figure in its column, misses and false alarms per 1,000 samples', () => {
    expect(rowsOf(section, 'beyond-accuracy-dive')[0]).toEqual([
      'PB-OEL',
      '0.920',
      '0.110',
      '−0.220',
      '0.330',
      '12.0',
      '34.0',
      '5.0',
    ])
    const longer = accuracyTables(made.map((one) => ({ ...one, samples: 2000 })))
    expect(rowsOf(longer.map(tableSection), 'beyond-accuracy-dive')[0].slice(5, 7)).toEqual(['6.0', '17.0'])
  })

  it('of paired tests have the difference, both probabilities, and where PB-OEL is ahead, level and behind', () => {
    // Both seeds are equally far apart: certain. Holm doubles nothing that is 0.
    expect(rowsOf(section, 'paired-tests-dive')).toEqual([
      ['no change', '+0.420', '< 0.001', '< 0.001', 'all', '–', '–'],
      ['SRP', '+0.067', '< 0.001', '< 0.001', '0, 0.05', '–', '1'],
    ])
    // One pair of seeds 0.02 ± 0.01 apart beside another: t = 2, p = 0.295 with one degree of freedom.
    const apart = made.map((one) => ({
      ...one,
      result: { ...one.result, accuracy: 0.5 + (one.label === 'pb-oel' ? 0.01 * (1 + 2 * (one.job.seed - 1)) : 0) },
    }))
    const [, , ...rest] = rowsOf(accuracyTables(apart).map(tableSection), 'paired-tests-dive')[0]
    expect(rest.slice(0, 2)).toEqual(['0.295', '0.590'])
  })

  it('of bounds have accuracy, best expert, ultimate bound, regret and guarantee, and say where it applies', () => {
    const bound = { applies: true, value: -0.1, ultimate: 0.8, regret: 0.05, bestExpert: 0.7 }
    const run = madeUpResult({ accuracy: 0.75 })
    const runs = [bound, { ...bound, applies: false, reason: 'γ' }].map((one) => ({
      ...run,
      result: { ...run.result, bound: one },
    }))
    expect(rowsOf(boundSections(runs), 'bounds-dive')).toEqual([
      ['PB-OEL', '0', '0.750', '0.700', '0.800', '0.050', '−0.100', '1 of 2'],
    ])
    expect(boundWords(runs)).toBe(
      'The guarantee applies to 1 of 2 runs (elsewhere: γ) and was kept in 1. Accuracy stands 0.850 above it on ' +
        'average; the regret really paid against the ultimate bound is 0.050. In 1 of them it is below zero: true, ' +
        'but on a stream this short it says nothing.',
    )
    const broken = runs.map((one) => ({ ...one, result: { ...one.result, accuracy: -0.2 } }))
    expect(boundWords(broken)).toContain('was kept in 0')
  })

  it('of landscapes have the accuracy of each point, and words about the region of the paper', () => {
    const points = [0.1, 10].flatMap((c) =>
      [0, 0.8].map((alpha) => madeUpResult({ accuracy: 0.6 + alpha / 5 - c / 50, variant: { c, alpha } })),
    )
    expect(rowsOf(landscapeSections(points), 'landscape-dive')).toEqual([
      ['0.1', '0', '0.598'],
      ['0.1', '0.8', '0.758'],
      ['10', '0', '0.400'],
      ['10', '0.8', '0.560'],
    ])
    // 0.758 against the mean of 0.598, 0.4 and 0.56.
    expect(landscapeWords(landscapes(points)[0])).toContain('averages 0.758, elsewhere 0.519')
  })

  it('of a suite have ranks, means and gaps, and the best of each stream in bold', () => {
    const tables = accuracyTables([...made, ...tableResults('sea', RHOS, { ...means, srp: [0.95, 0.95, 0.95] })])
    const sections = suiteSections(compareSuite(tables), tables)
    expect(rowsOf(sections, 'suite-standings-rho-0')).toEqual([
      ['PB-OEL', '1.50', '1', '0.900', '0.050', 'sea'],
      ['SRP', '1.50', '1', '0.825', '0.200', 'dive'],
      ['no change', '3.00', '0', '0.500', '0.450', 'sea'],
    ])
    const bold = sections[0].items.find(({ name }) => name === 'suite-accuracies-rho-0')
    expect(bold?.kind === 'table' && bold.rows.map((row) => row.map(({ strong }) => strong === true))).toEqual([
      [false, true, false, false],
      [false, false, true, false],
    ])
  })

  it('say which methods are worse beyond the critical difference, and no others', () => {
    const comparison = {
      ...{ methods: ['pb-oel', 'srp', 'arf'], streams: ['a', 'b'], ranks: [1, 1.5, 3.5], blocks: 2 },
      ...{ chiSquared: 4.5, pValue: 0.1054, f: 9, fPValue: 0.0004, criticalDifference: 2.34 },
    }
    const [test, words] = comparisonSection(comparison).paragraphs
    expect(test).toContain("χ² = 4.50, p = 0.105; Iman and Davenport's F = 9.00, p < 0.001")
    expect(test).toContain('at 5 % (Nemenyi): 2.34;')
    expect(words).toBe('PB-OEL has mean rank 1.00, the best. It is better than ARF beyond the critical difference.')
  })
})

describe('the report', () => {
  const means = { 'pb-oel': [0.957, 0.965, 0.992], srp: [0.733, 0.965, 0.988], 'no-change': [0.6, 0.97, 0.99] }
  const table = [...tableResults('dive', RHOS, means), ...tableResults('<sea>', RHOS, means)]
  const points = [0.1, 10].flatMap((c) =>
    [0, 0.8].map((alpha) => madeUpResult({ accuracy: 0.6 + alpha / 5 - c / 50, variant: { c, alpha } })),
  )
  const set: ExperimentSet = {
    title: 'A <title> & more',
    parts: [
      { streams: ['dive', 'sea'], methods: Object.keys(means), rho: RHOS, show: ['table', 'curves'] },
      {
        streams: ['dive'],
        methods: ['pb-oel'],
        rho: [0],
        options: { c: [0.1, 10], alpha: [0, 0.8] },
        show: ['landscape'],
      },
      { streams: ['dive'], methods: ['pb-oel'], rho: [0], show: ['bounds'] },
    ],
  }
  const results = [table, points, table.filter(({ streamName, label }) => streamName === 'dive' && label === 'pb-oel')]
  const out = join(folder.path, 'report')
  const path = writeReport(out, set, results, 12.34)
  const html = readFileSync(path, 'utf8')

  it('is one file that needs no other and no network', () => {
    expect(html).not.toMatch(/<script|<link|<img|@import|url\(/)
    expect(html).not.toMatch(/\b(?:src|href)="(?!#|[\w.-]+\.(?:csv|tex|svg|png)")/)
    expect(html).not.toMatch(/NaN|undefined|Infinity/)
    expect(html).toContain('A &lt;title&gt; &amp; more')
    expect(html).not.toContain('<sea>')
  })

  it('links only to files that are there, and names every section', () => {
    const files = readdirSync(out)
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, target]) => target)
    expect(links.length).toBeGreaterThan(20)
    for (const link of links) {
      if (link.startsWith('#')) expect(html).toContain(`id="${link.slice(1)}"`)
      else expect(files).toContain(link)
    }
    for (const heading of [
      'All 2 streams together',
      'Accuracy on dive',
      'Accuracy over time on dive',
      'Exploration and restarts',
      'Guarantee and reality',
    ])
      expect(html).toContain(heading)
    expect(files).toEqual(
      expect.arrayContaining([
        '_raw.csv',
        '_machine.json',
        '_configuration.json',
        'critical-difference.svg',
        'critical-difference.png',
        'table1-dive.csv',
        'table1-dive.tex',
      ]),
    )
    expect(files.filter((file) => file.endsWith('.partial'))).toEqual([])
  })

  it('prints the paper’s figures beside ours', () => {
    expect(html).toContain('0.957 | 0.957')
    expect(html).toContain('0.733 | 0.733')
    expect(html).toContain('+0.000')
  })

  it('is the same bytes for the same results, but for the machine and the time', () => {
    const again = join(folder.path, 'again')
    writeReport(again, set, results, 99)
    for (const file of readdirSync(out)) {
      if (file === '_machine.json') continue
      expect(readFileSync(join(again, file)).equals(readFileSync(join(out, file)))).toBe(true)
    }
    expect(JSON.parse(readFileSync(join(out, '_machine.json'), 'utf8'))).toMatchObject({
      secondsOfThisCall: 12.3,
      medianSamplesPerSecond: { srp: 10_000 },
    })
    expect(JSON.parse(readFileSync(join(out, '_configuration.json'), 'utf8')).parts).toHaveLength(3)
  })

  it('the raw results hold every run once', () => {
    const lines = rawCsv(results.flat()).trim().split('\n')
    const columns = lines[0].split(',')
    expect(columns.slice(0, 6)).toEqual(['stream', 'method', 'rho', 'seed', 'samples', 'accuracy'])
    const { kappaTemporal, falseAlarms, bound } = results[0][0].result
    const first = Object.fromEntries(lines[1].split(',').map((cell, i) => [columns[i], cell]))
    expect(first).toMatchObject({
      ...{ stream: 'dive', method: 'pb-oel', accuracy: '0.947', kappaTemporal: String(kappaTemporal) },
      ...{ falseAlarms: String(falseAlarms), 'bound.applies': 'true', 'bound.regret': String(bound.regret) },
      ...{ 'bound.bestExpert': String(bound.bestExpert), 'bound.ultimate': String(bound.ultimate) },
    })
    expect(new Set(lines).size).toBe(lines.length)
    expect(lines.filter((line) => line.startsWith('<sea>,srp'))).toHaveLength(6)
  })

  it('says when it cannot be written', () => {
    expect(() => writeReport(folder.write('taken', ''), set, results, 1)).toThrow('cannot be made a folder')
  })
})
