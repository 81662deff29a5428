import { OptionError } from '@pb-oel/core'
import { CommandOutputs } from '@pb-oel/protocol'
import { Command } from 'commander'

/** `pb-oel schema`: the form of what commands print with `--json`. */
export function schemaCommand(): Command {
  return new Command('schema')
    .description('print the JSON schema of what a command prints with --json')
    .argument('[command...]', `one of ${Object.keys(CommandOutputs).join(', ')} (default: all)`)
    .action((words: string[]) => {
      const name = words.join(' ')
      if (name !== '' && !Object.hasOwn(CommandOutputs, name)) {
        throw new OptionError('command', name, `one of ${Object.keys(CommandOutputs).join(', ')}`)
      }
      const found = name === '' ? CommandOutputs : CommandOutputs[name as keyof typeof CommandOutputs]
      process.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
    })
    .addHelpText('after', '\nExamples:\n  $ pb-oel schema run\n  $ pb-oel schema data info > data-info.schema.json')
}
