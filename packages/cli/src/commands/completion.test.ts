import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const BIN = join(import.meta.dirname, '../../bin/pb-oel.js')
const folder = mkdtempSync(join(tmpdir(), 'pb-oel-completion-'))
afterAll(() => rmSync(folder, { recursive: true }))

function script(shell: string): string {
  const { stdout, status } = spawnSync(process.execPath, [BIN, 'completion', shell], { encoding: 'utf8' })
  expect(status).toBe(0)
  const path = join(folder, shell)
  writeFileSync(path, stdout)
  return path
}

/** What a shell offers behind a line. */
const offers: Record<string, (line: string) => string[]> = {
  bash: (line) => {
    const code = `source ${join(folder, 'bash')}; COMP_WORDS=(${line.replace(/ $/, ' ""')}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _pb_oel; printf '%s\\n' "\${COMPREPLY[@]}"`
    return run('bash', ['-c', code])
  },
  zsh: (line) => {
    // Only the built-in that takes the words is replaced, by one that prints them.
    const code = `autoload -Uz compinit; compinit -D -u; source ${join(folder, 'zsh')}
      compadd() { shift; print -l -- "$@" }; _files() { }
      words=(${line.replace(/ $/, ' ""')}); CURRENT=\${#words}; _pb_oel`
    const last = line.split(' ').at(-1) ?? ''
    return run('zsh', ['-f', '-c', code]).filter((word) => word.startsWith(last))
  },
  fish: (line) =>
    run('fish', ['--no-config', '-c', `source ${join(folder, 'fish')}; complete -C '${line}'`]).map(
      (word) => word.split('\t')[0],
    ),
}

function run(shell: string, args: string[]): string[] {
  const { stdout, stderr, status } = spawnSync(shell, args, {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, HOME: folder },
  })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim().split('\n')
}

describe.each(['bash', 'zsh', 'fish'])('completion in %s', (shell) => {
  const missing = spawnSync(shell, ['--version']).status !== 0

  it.skipIf(missing)(
    `offers commands, options and choices (needs ${shell})`,
    () => {
      script(shell)
      const offered = offers[shell]
      expect(offered('pb-oel ru')).toEqual(['run'])
      expect(offered('pb-oel data in')).toEqual(['info'])
      expect(offered('pb-oel run dive --le')).toEqual(['--levels'])
      expect(offered('pb-oel data info x.csv --unit')).toEqual(['--units'])
      expect(offered('pb-oel run dive --missing l')).toEqual(['last'])
      expect(offered('pb-oel ')).toEqual(expect.arrayContaining(['run', 'import', 'serve', 'completion']))
    },
    60_000,
  )
})
