import { describeOptions, findMethod, METHODS, type Method, type OptionDescription } from '@pb-oel/core'
import { isModule, loadExtensions } from '@pb-oel/lab'
import { Command } from 'commander'
import { print } from '../experiments.ts'
import { textTable } from '../text-table.ts'

/** `pb-oel methods [name]`: every method, or the option table of one. */
export function methodsCommand(): Command {
  return new Command('methods')
    .description('list every method, or the options of one')
    .argument('[name]', 'a method, or the path of a module that exports one')
    .option('--json', 'print one JSON document on stdout')
    .action(methods)
    .addHelpText(
      'after',
      `
Examples:
  $ pb-oel methods
  $ pb-oel methods pb-oel
  $ pb-oel methods ./parrot.ts --json`,
    )
}

async function methods(name: string | undefined, { json }: { json?: boolean }): Promise<void> {
  if (name === undefined) {
    print(json, METHODS.map(about), () => listText(METHODS))
    return
  }
  const extensions = await loadExtensions(isModule(name) ? [name] : [])
  const method = findMethod(name, extensions)
  const options = describeOptions(method)
  print(json, { ...about(method), options }, () => methodText(method, options))
}

/** What is said of a method, apart from its options. */
function about({ name, title, role, summary, levels }: Method) {
  return { name, title, role, summary, ...(levels !== undefined && { levels }) }
}

function listText(methods: readonly Method[]): string[] {
  const rows = methods.map(({ name, title, role, summary }) => [name, title, role, summary])
  return [
    textTable(['name', 'title', 'role', 'summary'], rows, 'left'),
    '',
    'pb-oel methods <name> shows the options of one; --set name=value sets them in pb-oel run.',
  ]
}

function methodText(method: Method, options: readonly OptionDescription[]): string[] {
  const { name, title, role, summary, levels } = method
  const only = levels === undefined ? '' : `, for ${levels} levels only`
  const rows = options.map((option) => [option.name, option.kind, option.allowed, defaultText(option)])
  const [header, rule, ...lines] = textTable(['option', 'kind', 'values', 'default'], rows, 'left').split('\n')
  return [
    `${name}: ${title}, ${role}${only}`,
    summary,
    '',
    header,
    rule,
    ...options.flatMap((option, i) => [lines[i], `    ${meaning(option)}`]),
    '',
    'The commands of the lab take channels, levels, seed, warmUp, horizon, rho and costs from the stream and their own words.',
  ]
}

function meaning({ about, formerly }: OptionDescription): string {
  return formerly === undefined ? about : `${about} Formerly ${formerly}.`
}

function defaultText({ default: value, otherwise, required }: OptionDescription): string {
  if (required) return 'must be given'
  return value === undefined ? (otherwise ?? 'none') : JSON.stringify(value)
}
