import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from '../page.ts'

const run = promisify(execFile)

/** Prints the help of each command, with a mark behind it; in one process, because to start one takes a while. */
const PRINT = `const [file, list] = process.argv.slice(1)
const { commandLine } = await import(file)
for (const words of JSON.parse(list)) {
  await commandLine([...words, '--help'])
  process.stdout.write('\\0')
}`

/** The page of every command, from the commands' own help. */
export async function commandPage(root: string): Promise<Page> {
  const file = pathToFileURL(join(root, 'packages/cli/src/command-line.ts')).href
  const env = { ...process.env, COLUMNS: '100' }
  const helps = async (list: readonly string[][]) => {
    const args = ['--input-type=module', '--eval', PRINT, file, JSON.stringify(list)]
    const { stdout } = await run(process.execPath, args, { env })
    return stdout.split('\0').map((text) => text.trimEnd())
  }
  const [first] = await helps([[]])
  const names = commandsOf(first)
  const texts = await helps(names.map((name) => [name]))
  const words = names.flatMap((name, i) => commandsOf(texts[i]).map((word) => [name, word]))
  const inner = await helps(words)
  const parts = names.flatMap((name, i) => [
    `## pb-oel ${name}`,
    block(texts[i]),
    ...words.flatMap(([outer, word], k) => (outer === name ? [`### pb-oel ${name} ${word}`, block(inner[k])] : [])),
  ])
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

/** Names under "Commands:" of a help text. */
function commandsOf(help: string): string[] {
  const list = help.split(/^Commands:$/m)[1]?.split(/\n\n/)[0] ?? ''
  return [...list.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name]) => name).filter((name) => name !== 'help')
}

const block = (text: string): string => `\`\`\`text\n${text}\n\`\`\``
