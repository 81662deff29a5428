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
  const parts = ['# Commands', 'What every command prints with `--help`.', block(await help([]))]
  for (const name of commandsOf(await help([]))) {
    const text = await help([name])
    parts.push(`## pb-oel ${name}`, block(text))
    for (const inner of commandsOf(text)) parts.push(`### pb-oel ${name} ${inner}`, block(await help([name, inner])))
  }
  const markdown = parts.join('\n\n')
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

/** Names under "Commands:" of a help text. */
export function commandsOf(help: string): string[] {
  const list = help.split(/^Commands:$/m)[1]?.split(/\n\n/)[0] ?? ''
  return [...list.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name]) => name).filter((name) => name !== 'help')
}

const block = (text: string): string => `\`\`\`text\n${text}\n\`\`\``
