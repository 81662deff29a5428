import { commandLine } from './command-line.ts'

// A reader that closes the pipe early, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

const failed = await commandLine(process.argv.slice(2))
if (failed !== undefined) {
  process.exitCode = failed
  // A command that failed ends, whatever it may have left open. The timer itself keeps nothing alive.
  setTimeout(() => process.exit(), 2_000).unref()
}
