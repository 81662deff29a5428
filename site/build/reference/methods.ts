import { describeOptions, METHODS, type OptionDescription } from '@pb-oel/core'
import type { Page } from '../page.ts'

const ROLES = { method: 'Methods', rival: 'Rivals', baseline: 'Baselines' } as const

/** The page of every method and its options, from the tables the checks of the code use. */
export function methodsPage(): Page {
  const parts = [
    '# Methods and options',
    'Every method by the name that `--method` and `createAssessor` take, with its options. The checks of the code read the same tables, so this page cannot disagree with them. `pb-oel methods NAME` prints the table of one method.',
    summaryTable(),
  ]
  for (const [role, title] of Object.entries(ROLES)) {
    parts.push(`## ${title}`)
    for (const method of METHODS.filter((method) => method.role === role)) {
      parts.push(`### ${method.title}`, `\`${method.name}\`: ${method.summary}.`)
      if (method.variantOf) parts.push(`It is \`${method.variantOf}\` with other presets and takes the same options.`)
      else parts.push(optionTable(describeOptions(method)))
    }
  }
  const markdown = parts.join('\n\n')
  const source = 'docs/reference/methods.md'
  return {
    path: 'reference/methods.html',
    source,
    markdown,
    title: 'Methods and options',
    section: 'Reference',
    search: 'sections',
  }
}

function summaryTable(): string {
  const rows = METHODS.map(({ name, title, role, summary }) => `| \`${name}\` | ${title} | ${role} | ${summary} |`)
  return ['| name | title | role | |', '|---|---|---|---|', ...rows].join('\n')
}

function optionTable(options: readonly OptionDescription[]): string {
  const rows = options.map(
    (option) => `| \`${option.name}\` | ${cell(option.allowed)} | ${defaultOf(option)} | ${cell(option.about)} |`,
  )
  return ['| option | values | default | |', '|---|---|---|---|', ...rows].join('\n')
}

function defaultOf({ default: value, otherwise, required }: OptionDescription): string {
  if (required) return 'required'
  if (otherwise) return cell(otherwise)
  return value === undefined ? 'none' : `\`${cell(typeof value === 'string' ? value : JSON.stringify(value))}\``
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
