import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommandOutputName, CommandOutputs, InvalidShape, reader } from '@pb-oel/protocol'
import { afterAll, describe, expect, it } from 'vitest'

const BIN = join(import.meta.dirname, '../../bin/pb-oel.js')
const folder = mkdtempSync(join(tmpdir(), 'pb-oel-schema-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 't.csv'), 't,a,l\n1,1,0\n2,2,1\n3,3,0\n')

function cli(...args: string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [BIN, ...args], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

const WORDS: Record<CommandOutputName, string[]> = {
  run: ['run', 'dive', '--samples', '300'],
  'data info': ['data', 'info', 't.csv', '--time', 't', '--units', 'a=m'],
  import: ['import', 't.csv', '--system', 's', '--time', 't', '--store', 's.db'],
  robustness: ['robustness', '--samples', '100', '--repeats', '1', '--methods', 'majority', '--store', 'r'],
}

describe('documents of --json', () => {
  it.each(Object.keys(CommandOutputs) as CommandOutputName[])(
    'of %s have the form of their schema',
    (name) => {
      const schema = JSON.parse(cli('schema', ...name.split(' ')))
      const document = JSON.parse(cli(...WORDS[name], '--json'))
      expect(schema).toEqual(JSON.parse(JSON.stringify(CommandOutputs[name])))
      const check = reader(CommandOutputs[name], name)
      expect(check(document)).toBe(document)
      expect(document.schemaVersion).toBe(1)
      // A schema that takes anything would be none.
      for (const field of schema.required.filter((field: string) => field !== 'machine')) {
        expect(() => check({ ...document, [field]: { wrong: true } }), field).toThrow(InvalidShape)
      }
    },
    120_000,
  )
})
