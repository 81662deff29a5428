import { PbOelError } from '@pb-oel/core'
import { Command, CommanderError } from 'commander'
import { assessCommand } from './commands/assess.ts'
import { benchCommand } from './commands/bench.ts'
import { dataCommand } from './commands/data.ts'
import { boundsCommand } from './commands/bounds.ts'
import { curvesCommand } from './commands/curves.ts'
import { experimentCommand } from './commands/experiment.ts'
import { landscapeCommand } from './commands/landscape.ts'
import { reproduceCommand } from './commands/reproduce.ts'
import { tableCommand } from './commands/table.ts'
import { demoCommand } from './commands/demo.ts'
import { replayCommand } from './commands/replay.ts'
import { runCommand } from './commands/run.ts'
import { serveCommand } from './commands/serve.ts'
import { Interrupted } from './interrupt.ts'

/** Exit codes: 0 done, 2 the user's input is wrong, 1 anything else, 130 stopped by Ctrl-C. */
const WRONG_INPUT = 2

const program = new Command('pb-oel')
  .description(
    'Real-time safety assessment that learns from right-or-wrong answers, with a live performance guarantee.',
  )
  .version('0.1.0')
  .addCommand(runCommand())
  .addCommand(tableCommand())
  .addCommand(landscapeCommand())
  .addCommand(curvesCommand())
  .addCommand(boundsCommand())
  .addCommand(reproduceCommand())
  .addCommand(experimentCommand())
  .addCommand(dataCommand())
  .addCommand(benchCommand())
  .addCommand(serveCommand())
  .addCommand(replayCommand())
  .addCommand(assessCommand())
  .addCommand(demoCommand())
  .addHelpText(
    'after',
    `
Examples:
  $ pb-oel run dive --rho 0.05 --repeats 3
  $ pb-oel run measurements.csv --label state --method rvfl-hddm-np --json
  $ pb-oel table dive --methods pb-oel,srp,arf --rho 0,0.05,1
  $ pb-oel reproduce --out report
  $ pb-oel data info dive
  $ pb-oel <command> --help`,
  )

for (const command of [program, ...program.commands, ...program.commands.flatMap((command) => command.commands)]) {
  command.exitOverride().showHelpAfterError('(--help shows the options and examples)')
}

// A reader that closes the pipe early, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : WRONG_INPUT
  else if (error instanceof Interrupted) process.exitCode = 130
  else if (error instanceof PbOelError) {
    console.error(`error: ${error.message}`)
    process.exitCode = WRONG_INPUT
  } else {
    console.error(error)
    process.exitCode = 1
  }
}
