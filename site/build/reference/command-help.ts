import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '../page.ts'

const run = promisify(execFile)

/** The page of every command, from the commands' own help. */
export async function commandPage(root: string): Promise<Page> {
  const main = join(root, 'packages/cli/src/main.ts')
  const help = async (words: readonly string[]) =>
    (
      await run(process.execPath, [main, ...words, '--help'], { env: { ...process.env, COLUMNS: '100' } })
    ).stdout.trimEnd()
  const first = await help([])
  const parts = await Promise.all(commandsOf(first).map((name) => commandText(name, help)))
  const markdown = ['# Commands', 'What every command prints with `--help`.', block(first), ...parts].join('\n\n')
  const source = 'docs/reference/commands.md'
  return {
    path: 'reference/commands.html',
    source,
    markdown,
    title: 'Commands',
    section: 'Reference',
    search: 'sections',
  }
}

async function commandText(name: string, help: (words: readonly string[]) => Promise<string>): Promise<string> {
  const text = await help([name])
  const inner = commandsOf(text).map(async (word) => `### pb-oel ${name} ${word}\n\n${block(await help([name, word]))}`)
  return [`## pb-oel ${name}`, block(text), ...(await Promise.all(inner))].join('\n\n')
}

/** Names under "Commands:" of a help text. */
function commandsOf(help: string): string[] {
  const list = help.split(/^Commands:$/m)[1]?.split(/\n\n/)[0] ?? ''
  return [...list.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name]) => name).filter((name) => name !== 'help')
}

const block = (text: string): string => `\`\`\`text\n${text}\n\`\`\``
