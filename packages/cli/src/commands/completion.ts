import { Argument, Command } from 'commander'
import { completionScript, type Shell } from '../completion.ts'

/**
 * `pb-oel completion`: completion for shells.
 *
 * @param load every command of the program
 */
export function completionCommand(load: () => Promise<Command[]>): Command {
  return new Command('completion')
    .description('print the script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: Shell) => {
      const program = new Command('pb-oel')
      for (const command of await load()) program.addCommand(command)
      process.stdout.write(completionScript(shell, program))
    })
    .addHelpText(
      'after',
      `
Examples:
  $ source <(pb-oel completion bash)
  $ pb-oel completion zsh > ~/.zfunc/_pb-oel
  $ pb-oel completion fish > ~/.config/fish/completions/pb-oel.fish`,
    )
}
