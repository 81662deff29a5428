import { accuracyTables } from '../analysis/accuracy-table.ts'
import { compareOverStreams } from '../analysis/comparison.ts'
import { landscapes } from '../analysis/landscape.ts'
import { compareSuite } from '../analysis/suite.ts'
import { type Experiment, type ExperimentSet, type Section, streamLabel } from '../experiment/experiment.ts'
import type { ExperimentResult } from '../experiment/run-experiments.ts'
import type { PromiseStudy } from '../promises/promise-study.ts'
import { boundSections } from './bounds-section.ts'
import { comparisonSection } from './comparison-section.ts'
import { curvesSection } from './curves-section.ts'
import { landscapeSections } from './landscape-section.ts'
import { promiseFindings, promisesSection } from './promises-section.ts'
import type { Report, ReportSection } from './report.ts'
import { suiteSections } from './suite-section.ts'
import { tableSection } from './table-section.ts'
import { boundWords, landscapeWords, tableFindings } from './words.ts'

/** The sections of an experiment that names none. */
function sectionsOf({ show, options = {} }: Experiment): readonly Section[] {
  if (show) return show
  return 'c' in options && 'alpha' in options ? ['table', 'landscape'] : ['table', 'curves']
}

/**
 * Makes the report of a set of experiments from their results.
 *
 * @param results one list per experiment, as `runExperiments` gives them
 * @param promises studies of promises, one section each
 */
export function buildReport(
  set: ExperimentSet,
  results: readonly ExperimentResult[][],
  version: string,
  promises: readonly PromiseStudy[] = [],
): Report {
  const findings: string[] = []
  const sections: ReportSection[] = []
  set.parts.forEach((part, i) => {
    const shown = sectionsOf(part)
    const runs = results[i]
    if (shown.includes('suite')) {
      const tables = accuracyTables(runs)
      const pages = suiteSections(compareSuite(tables), tables)
      sections.push(...pages)
      findings.push(...pages.map(({ paragraphs }) => paragraphs[0]))
    }
    if (shown.includes('table') || shown.includes('curves')) {
      const tables = accuracyTables(runs)
      const comparison = shown.includes('suite') ? undefined : compareOverStreams(tables)
      if (comparison && shown.includes('table')) {
        const section = comparisonSection(comparison)
        sections.push(section)
        findings.push(...section.paragraphs.slice(1))
      }
      for (const table of tables) {
        if (shown.includes('table')) sections.push(tableSection(table))
        if (shown.includes('table')) findings.push(...tableFindings(table).slice(0, tables.length > 1 ? 1 : 3))
        if (shown.includes('curves')) sections.push(curvesSection(table))
      }
    }
    if (shown.includes('landscape')) {
      sections.push(...landscapeSections(runs))
      findings.push(
        ...landscapes(runs)
          .slice(0, 1)
          .map((panel) => `Exploration and restarts on ${panel.stream}, ${landscapeWords(panel)}`),
      )
    }
    if (shown.includes('bounds')) {
      sections.push(...boundSections(runs))
      findings.push(boundWords(runs))
    }
  })
  sections.push(...promises.map(promisesSection))
  findings.push(...promises.flatMap(promiseFindings))
  const promised = promises.reduce((sum, { rows, repeats }) => sum + rows.length * repeats, 0)
  return {
    title: set.title,
    introduction: introduction(results.flat(), promises),
    findings,
    sections,
    colophon: [
      `Made by pb-oel from ${new Set(results.flat().map(key)).size + promised} runs, code version ${version}. The same code, streams and seeds give the same figures, whatever the number of workers; _configuration.json holds the experiment, _raw.csv every run, _machine.json the machine and how long it took.`,
      'Every figure is beside this file as SVG and PNG, every table as CSV and LaTeX. Colours are Okabe and Ito’s, and lines differ in dashes as well, so that neither colour blindness nor a grey print hides which is which.',
    ],
  }
}

const key = ({ streamName, label, job }: ExperimentResult): string => [streamName, label, job.rho, job.seed].join('|')

function introduction(results: readonly ExperimentResult[], promises: readonly PromiseStudy[]): string {
  const streams = new Map([
    ...results.map(({ streamName, samples }) => [streamName, samples] as const),
    ...promises.map(({ stream, samples }) => [streamLabel(stream), samples] as const),
  ])
  const described = [...streams].map(([name, samples]) => `${name} (${samples.toLocaleString('en-US')} samples)`)
  return `Real-time safety assessment under mixed feedback, test-then-train: each sample is assessed, then a share ρ of samples gets its true level, all others only right or wrong. Streams: ${described.join(', ')}.`
}
