import { readFileSync } from 'node:fs'
import { PbOelError } from '@pb-oel/core'
import { Command, CommanderError } from 'commander'
import { Interrupted } from './interrupt.ts'

/** Exit codes: 0 done, 2 the user's input is wrong, 1 anything else, 130 stopped by Ctrl-C. */
const WRONG_INPUT = 2

/** Each command by name, loaded when it is wanted: a short run must not wait for the server or the charts to load. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  run: async () => (await import('./commands/run.ts')).runCommand(),
  table: async () => (await import('./commands/table.ts')).tableCommand(),
  suite: async () => (await import('./commands/suite.ts')).suiteCommand(),
  robustness: async () => (await import('./commands/robustness.ts')).robustnessCommand(),
  landscape: async () => (await import('./commands/landscape.ts')).landscapeCommand(),
  curves: async () => (await import('./commands/curves.ts')).curvesCommand(),
  certify: async () => (await import('./commands/certify.ts')).certifyCommand(),
  promises: async () => (await import('./commands/promises.ts')).promisesCommand(),
  bounds: async () => (await import('./commands/bounds.ts')).boundsCommand(),
  reproduce: async () => (await import('./commands/reproduce.ts')).reproduceCommand(),
  experiment: async () => (await import('./commands/experiment.ts')).experimentCommand(),
  work: async () => (await import('./commands/work.ts')).workCommand(),
  methods: async () => (await import('./commands/methods.ts')).methodsCommand(),
  data: async () => (await import('./commands/data.ts')).dataCommand(),
  serve: async () => (await import('./commands/serve.ts')).serveCommand(),
  replay: async () => (await import('./commands/replay.ts')).replayCommand(),
  import: async () => (await import('./commands/import.ts')).importCommand(),
  export: async () => (await import('./commands/export.ts')).exportCommand(),
  copy: async () => (await import('./commands/copy.ts')).copyCommand(),
  assess: async () => (await import('./commands/assess.ts')).assessCommand(),
  bench: async () => (await import('./commands/bench.ts')).benchCommand(),
  schema: async () => (await import('./commands/schema.ts')).schemaCommand(),
  demo: async () => (await import('./commands/demo.ts')).demoCommand(),
  completion: async () =>
    (await import('./commands/completion.ts')).completionCommand(() =>
      Promise.all(Object.values(COMMANDS).map((load) => load())),
    ),
}

const EXAMPLES = `
Examples:
  $ pb-oel run dive --rho 0.05 --repeats 3
  $ pb-oel run measurements.csv --label state --method rvfl-hddm-np --json
  $ pb-oel table dive --methods pb-oel,srp,arf --rho 0,0.05,1
  $ pb-oel reproduce --out report
  $ pb-oel methods pb-oel
  $ pb-oel data info dive
  $ pb-oel <command> --help`

/**
 * Runs the words behind `pb-oel`, and prints to stdout and stderr.
 *
 * @param words such as `['run', 'dive', '--rho', '0.1']`
 * @returns the exit code of a failure; a command that has done its work may have set one itself
 */
export async function commandLine(words: readonly string[]): Promise<number | undefined> {
  const program = await programFor(words[0])
  try {
    await program.parseAsync(words, { from: 'user' })
    return
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_INPUT
    if (error instanceof Interrupted) return 130
    if (error instanceof PbOelError) {
      console.error(`error: ${error.message}`)
      return WRONG_INPUT
    }
    console.error(error)
    return 1
  }
}

/** What parses the words: the command that the first of them names, or all commands. */
async function programFor(name: string | undefined): Promise<Command> {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const program = new Command('pb-oel')
    .description(
      'Real-time safety assessment that learns from right-or-wrong answers, with a live performance guarantee.',
    )
    .version(version)
    .addHelpText('after', EXAMPLES)
  const named = Object.keys(COMMANDS).filter((known) => known === name)
  // The version needs no command at all.
  const wanted = ['--version', '-V'].includes(name ?? '') ? [] : Object.keys(COMMANDS)
  for (const known of named.length > 0 ? named : wanted) program.addCommand(await COMMANDS[known]())
  for (const command of [program, ...program.commands, ...program.commands.flatMap((command) => command.commands)]) {
    command.exitOverride().showHelpAfterError('(--help shows the options and examples)')
  }
  return program
}
