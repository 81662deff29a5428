import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { thisMachine } from '@pb-oel/lab'

/** Settings of a script that its command names where they are given. */
const SETTINGS = ['REPEATS', 'SAMPLES', 'EDITION']

/** Writes what a script has found to the file that STORE in the environment names: command, machine, date and rows. */
export function storeResult(rows: readonly object[]): void {
  const { STORE } = process.env
  if (STORE === undefined) return
  const settings = SETTINGS.filter((name) => process.env[name] !== undefined).map(
    (name) => `${name}=${process.env[name]}`,
  )
  const [, script, ...words] = process.argv
  const command = [
    ...settings,
    'node',
    `packages/lab/scripts/${basename(script)}`,
    ...words.map((word) => basename(word)),
  ]
  const result = { command: command.join(' '), machine: thisMachine(), rows }
  writeFileSync(STORE, `${JSON.stringify(result, null, 2)}\n`)
}
