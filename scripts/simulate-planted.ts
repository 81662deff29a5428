// Puts each error of test/simulated/planted.ts into a copy of the sources and wants a seed to fail.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { SIMULATED_ERRORS } from '../test/simulated/planted.ts'
import { copySources, plant } from './source-copy.ts'

/** Seeds within which each error must be found. */
const SEEDS = 200

/** Tries every error whose name contains one of the words, or all; returns the exit code. */
export function findPlanted(words: readonly string[]): number {
  const chosen = SIMULATED_ERRORS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
  if (chosen.length === 0) {
    const names = SIMULATED_ERRORS.map(({ name }) => name).join(', ')
    console.error(`no planted error is about ${words.join(' or ')}; there are: ${names}`)
    return 2
  }
  const folder = copySources()
  let found = 0
  try {
    for (const { name, edits } of chosen) {
      const restore = plant(folder, edits)
      const line = typeof restore === 'string' ? restore : firstFailure(folder)
      if (typeof restore !== 'string') restore()
      if (line?.startsWith('seed ')) found++
      console.log(`${line?.startsWith('seed ') ? 'found    ' : 'NOT FOUND'} ${name}: ${line ?? `${SEEDS} seeds pass`}`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  console.log(`${found} of ${chosen.length} planted errors were found within ${SEEDS} seeds`)
  return found === chosen.length ? 0 : 1
}

/** What the first seed that fails says. */
function firstFailure(folder: string): string | undefined {
  const { SIMULATED_DISK: _, LD_PRELOAD: __, ...env } = process.env
  const args = ['scripts/simulate.ts', '--seeds', String(SEEDS), '--bail']
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env })
  const lines = `${stdout}${stderr}`.split('\n')
  return lines.find((line) => line.startsWith('seed ')) ?? lines.find((line) => /error/i.test(line))
}
