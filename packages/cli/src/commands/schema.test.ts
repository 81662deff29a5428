import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DataSet, findDataSet } from '@pb-oel/lab'
import { type CommandOutputName, CommandOutputs, InvalidShape, reader } from '@pb-oel/protocol'
import { afterAll, describe, expect, it } from 'vitest'
import { cli as runCli } from '../testing/cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'pb-oel-schema-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 't.csv'), 't,a,l\n1,1,0\n2,2,1\n3,3,0\n')

writeFileSync(join(folder, 'checks.csv'), 'probability,right\n0.1,1\n0.2,1\n0.1,0\n')
const experiment = { title: 'Small', streams: ['dive:samples=100'], rho: [0], methods: ['majority'], repeats: 1 }
writeFileSync(join(folder, 'experiment.json'), JSON.stringify(experiment))
mkdirSync(join(folder, 'suite'))
writeFileSync(join(folder, 'suite/t.csv'), 't,a,l\n1,1,0\n2,2,1\n3,3,0\n4,1,1\n')
const weather = findDataSet('weather') as DataSet
mkdirSync(join(folder, 'cache/data'), { recursive: true })
const row = (level: number) => `${'1,'.repeat(weather.channels)}${level}\n`
writeFileSync(join(folder, 'cache/data', weather.file), weather.levels.map((n, level) => row(level).repeat(n)).join(''))

async function cli(...args: string[]): Promise<string> {
  const { stdout, stderr, status } = await runCli(folder, ...args)
  if (status !== 0) throw new Error(stderr)
  return stdout
}

const few = ['--samples', '100', '--repeats', '1', '--methods', 'majority,no-change']
/** Calls of every command, one for each form of its document. Those of import come before those that need its store. */
const CALLS: Record<CommandOutputName, string[]> = {
  import: ['import t.csv --system s --time t --store s.db'],
  run: ['run dive --samples 300'],
  table: [`table dive --rho 0,1 ${few.join(' ')}`, `table dive suite/t.csv --rho 0 ${few.join(' ')}`],
  landscape: ['landscape dive --samples 100 --c 0.5 --alpha 0.5 --rho 0'],
  curves: [`curves dive --rho 0 ${few.join(' ')}`],
  bounds: ['bounds dive --rho 0 --samples 100 --repeats 1'],
  experiment: ['experiment experiment.json'],
  reproduce: ['reproduce dive --quick --samples 60'],
  suite: [`suite suite --rho 0 ${few.join(' ')}`],
  promises: ['promises dive --samples 300 --repeats 1 --settings at-once,unasked'],
  methods: ['methods', 'methods pb-oel'],
  bench: ['bench dive --seconds 0.01'],
  certify: ['certify s.db', 'certify checks.csv --samples 100 --target 0.9'],
  replay: ['replay s.db', 'replay s.db --at 3', 'replay s.db --what-if majority'],
  robustness: [`robustness ${few.join(' ')}`],
  'data list': ['data list'],
  'data get': ['data get weather'],
  'data info': ['data info t.csv --time t --units a=m'],
}

describe('documents of --json', async () => {
  const schemas = JSON.parse(await cli('schema'))

  it.each(Object.keys(CALLS) as CommandOutputName[])(
    'of %s have the form of their schema',
    async (name) => {
      expect(schemas[name]).toEqual(JSON.parse(JSON.stringify(CommandOutputs[name])))
      const check = reader(CommandOutputs[name], name)
      for (const words of CALLS[name]) {
        const document = JSON.parse(await cli(...words.split(' '), '--json'))
        expect(check(document), words).toBe(document)
        // Lists are from before there were versions.
        if (Array.isArray(document)) continue
        expect(document.schemaVersion, words).toBe(1)
        // A schema that takes anything would be none.
        const forms: { required: string[] }[] = schemas[name].anyOf ?? [schemas[name]]
        const fields = forms.flatMap(({ required = [] }) => required)
        for (const field of fields.filter((field) => field in document && field !== 'machine')) {
          expect(() => check({ ...document, [field]: [{ wrong: true }] }), field).toThrow(InvalidShape)
        }
      }
    },
    120_000,
  )

  it('has one schema for the words of one command', async () => {
    expect(JSON.parse(await cli('schema', 'data', 'info'))).toEqual(schemas['data info'])
  })
})
