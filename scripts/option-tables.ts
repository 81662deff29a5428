// Writes docs/options.md from the option tables of core: node scripts/option-tables.ts
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DETECTORS } from '../packages/core/src/drift/index.ts'
import {
  ASKING_OPTIONS,
  CERTIFY_OPTIONS,
  DELAY_OPTIONS,
  describeOptions,
  ENSEMBLE_OPTIONS,
  EXPLAIN_OPTIONS,
  FEEDBACK_OPTIONS,
  METHODS,
  NOVELTY_OPTIONS,
  type OptionDescription,
  type OptionTable,
  PROMISES_OPTIONS,
  RIVAL_OPTIONS,
} from '../packages/core/src/index.ts'
import { LEARNERS } from '../packages/core/src/learners/index.ts'
import { GENERATORS } from '../packages/core/src/streams/index.ts'

interface Section {
  readonly title: string
  readonly text?: string
  readonly options: OptionTable
}

/** The page as text. */
export function optionTables(): string {
  const parts = [
    '# Options',
    'Written by `node scripts/option-tables.ts` from the tables in core; change the tables, not this page.\n' +
      '`pb-oel methods NAME` shows the same for one method. A dash stands for an option without a default.',
    ...part('Methods', methodSections()),
    ...part('Detectors', entrySections(DETECTORS)),
    ...part('Learners', entrySections(LEARNERS)),
    ...part('Streams', entrySections(GENERATORS)),
    ...part('Reviewers', [
      { title: 'Which assessments are asked about', options: ASKING_OPTIONS },
      { title: 'Simulated reviewers', options: FEEDBACK_OPTIONS },
      { title: 'Their delay', options: DELAY_OPTIONS },
    ]),
    ...part('Promises', [
      { title: 'Kept beside any method', options: PROMISES_OPTIONS },
      { title: 'Certified from checks', options: CERTIFY_OPTIONS },
    ]),
    ...part('Novelty', [{ title: 'None of the known levels', options: NOVELTY_OPTIONS }]),
    ...part('Explanations', [{ title: 'Why a level', options: EXPLAIN_OPTIONS }]),
  ]
  return `${parts.join('\n\n')}\n`
}

/** Each method with the options that it does not share; the shared ones come first. */
function methodSections(): Section[] {
  const own = METHODS.map(({ name, title, summary, options }) => {
    const shared = 'networks' in options ? ENSEMBLE_OPTIONS : RIVAL_OPTIONS
    const whose = 'networks' in options ? 'every ensemble' : 'every rival and baseline'
    const rest = Object.entries(options).filter(([option, line]) => shared[option as keyof typeof shared] !== line)
    const more = rest.length === 0 ? `It has the options of ${whose}.` : `Beside the options of ${whose}:`
    return { title: `${title} (\`${name}\`)`, text: `${sentence(summary)} ${more}`, options: Object.fromEntries(rest) }
  })
  return [
    { title: 'Every ensemble', options: ENSEMBLE_OPTIONS },
    { title: 'Every rival and baseline', options: RIVAL_OPTIONS },
    ...own,
  ]
}

function entrySections(entries: readonly { name: string; summary: string; options: OptionTable }[]): Section[] {
  return entries.map(({ name, summary, options }) => ({ title: `\`${name}\``, text: sentence(summary), options }))
}

function sentence(text: string): string {
  return `${text[0].toUpperCase()}${text.slice(1)}.`
}

function part(title: string, sections: readonly Section[]): string[] {
  return [`## ${title}`, ...sections.flatMap(section)]
}

function section({ title, text, options }: Section): string[] {
  const rows = describeOptions({ options }).map(row)
  const table = ['| option | accepted | default | meaning |', '|---|---|---|---|', ...rows].join('\n')
  return [`### ${title}`, ...(text ? [text] : []), ...(rows.length > 0 ? [table] : [])]
}

function row({ name, formerly, allowed, about, required, otherwise, default: value }: OptionDescription): string {
  const shown = required ? 'required' : (otherwise ?? (value === undefined ? '–' : `\`${JSON.stringify(value)}\``))
  const names = formerly ? `\`${name}\` (formerly \`${formerly}\`)` : `\`${name}\``
  return `| ${names} | ${allowed} | ${shown} | ${about} |`.replaceAll('\n', ' ')
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, '../docs/options.md'), optionTables())
