import { describe, expect, it } from 'vitest'
import { MemoryLog } from '../log/testing/memory-log.ts'
import { Service } from '../service/service.ts'
import { PLANT } from '../testing/local-server.ts'
import { type Column, exportColumns } from './export-columns.ts'
import { EXPORT_FORMATS } from './export-formats.ts'
import { exportStored } from './export-stored.ts'
import type { ExportedSample } from './exported-sample.ts'

const LEVELS = ['safe', 'odd', 'unsafe', 'lost']

/** A sample in which no two columns say the same. */
const ROW: ExportedSample = {
  time: 2_000,
  sample: { values: [1.5, 20], at: 1_000, degraded: ['b', 'a'], by: 'sensor' },
  assessment: {
    ...{ assessment: 7, level: 2, probabilities: [0.1, 0.6, 0.2, 0.1], safeSide: 3 },
    ...{ confidence: 0.25, rawConfidence: 0.75, experts: [2] },
  },
  excluded: false,
  answer: { kind: 'label', level: 0, by: 'eva' },
}

/** The cells of a row by the names of their columns. */
const cellsOf = (row: ExportedSample, detail = true) =>
  Object.fromEntries(exportColumns(['a', 'b'], LEVELS, detail).map(({ name, of }) => [name, of(row)]))

describe('the columns of an export', () => {
  it('tell what was assessed, what was likely, what is on the safe side and what was true apart', () => {
    const cells = cellsOf(ROW)
    expect(Object.entries(cells)).toEqual([
      ...[
        ['time', 1_000],
        ['arrival', 2_000],
        ['assessment', 7],
        ['assessed', 'unsafe'],
        ['likely', 'odd'],
      ],
      ...[
        ['safeSide', 'lost'],
        ['confidence', 0.25],
        ['trained', true],
        ['degraded', 'b a'],
        ['excluded', false],
      ],
      ...[
        ['answer', 'label'],
        ['by', 'eva'],
        ['a', 1.5],
        ['b', 20],
        ['level', 'safe'],
      ],
    ])
    const { assessment, sample } = ROW
    const bare: ExportedSample = {
      ...{ time: 2_000, excluded: true, sample: { values: sample.values, by: 'sensor' } },
      assessment: { ...assessment, safeSide: undefined, trained: false },
    }
    expect(cellsOf(bare)).toMatchObject({
      ...{ time: 2_000, trained: false, excluded: true, safeSide: undefined, degraded: undefined },
      ...{ answer: undefined, by: undefined, level: undefined },
    })
  })

  it('have the true level that an answer tells, and none for what is excluded, where nothing else says so', () => {
    const answered = (kind: 'confirm' | 'reject', levels = LEVELS) => {
      const row: ExportedSample = { ...ROW, answer: { kind, by: 'eva' }, assessment: { ...ROW.assessment, level: 1 } }
      return exportColumns([], levels, false).at(-1)?.of(row)
    }
    expect([answered('confirm'), answered('reject'), answered('reject', ['safe', 'unsafe'])]).toEqual([
      ...['odd', undefined, 'safe'],
    ])
    const excluded = { ...ROW, excluded: true }
    expect([cellsOf(excluded, false).level, cellsOf(excluded).level]).toEqual([undefined, 'safe'])
  })
})

it('a CSV quotes what readers would take apart or trim, and leaves empty what is unknown', () => {
  const cells = ['plain', 'a,b', 'say "no"', 'two\nlines', 'old\rlines', ' lead', 'trail ', undefined, 0, false]
  const columns = cells.map((cell, i): Column => ({ name: `c${i}`, type: 'text', of: () => cell }))
  const [head, rest] = [EXPORT_FORMATS.csv.make(columns).begin(), EXPORT_FORMATS.csv.make(columns).rows([ROW])]
  expect(Buffer.from(head).toString()).toBe('c0,c1,c2,c3,c4,c5,c6,c7,c8,c9\n')
  expect(Buffer.from(rest).toString()).toBe(
    'plain,"a,b","say ""no""","two\nlines","old\rlines"," lead","trail ",,0,false\n',
  )
})

it('an export of a store has the channels and levels that were added or named anew, with a snapshot and without', async () => {
  const log = new MemoryLog()
  const service = await Service.open(log)
  await service.create('plant', PLANT, 'test')
  const exported = async () => {
    const pieces: Uint8Array[] = []
    for await (const piece of exportStored(log, { system: 'plant', format: 'csv', detail: false })) pieces.push(piece)
    const lines = Buffer.concat(pieces).toString().trimEnd().split('\n')
    return lines.map((line) => line.split(',').slice(1).join(','))
  }
  const sample = async (values: number[], trueLevel: string) => service.sample('plant', { values, trueLevel }, 'test')
  await sample([1, 2], 'odd')
  await service.configure('plant', { levels: ['safe', 'strange', 'unsafe'] }, 'test')
  await service.addChannel('plant', { name: 'flow', usual: 0 }, 'test')
  await service.addLevel('plant', { name: 'lost' }, 'test')
  await sample([3, 4, 5], 'lost')
  const expected = ['pressure,temperature,flow,level', '1,2,,strange', '3,4,5,lost']
  expect(await exported()).toEqual(expected)
  await service.get('plant').saveSnapshot()
  expect(await exported()).toEqual(expected)
})
