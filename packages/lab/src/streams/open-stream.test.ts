import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { dive, OptionError, type Stream } from '@pb-oel/core'
import { afterAll, describe, expect, it } from 'vitest'
import { DataError } from '../errors.ts'
import { csvLines } from './export-csv.ts'
import { openStream } from './open-stream.ts'
import type { TableOptions } from './table-options.ts'

const folder = mkdtempSync(join(tmpdir(), 'pb-oel-lab-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, text: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const open = (text: string, options?: TableOptions): Stream => openStream(write('t.csv', text), options)
const contents = (stream: Stream) => Array.from(stream, ({ x, level }) => [...x, level])

describe('files', () => {
  it('reads header, channels and levels; the label is the last column', () => {
    const stream = open('speed,depth,state\n1,2,0\n3,4,1\n')
    expect(stream.channels).toEqual(['speed', 'depth'])
    expect(stream.levels).toEqual(['0', '1'])
    expect(contents(stream)).toEqual([
      [1, 2, 0],
      [3, 4, 1],
    ])
    expect(contents(stream)).toEqual([
      [1, 2, 0],
      [3, 4, 1],
    ])
  })

  it('recognises a header of numbered channels by the name over the labels', () => {
    const stream = open('0,1,target\n1,2,0\n3,4,1\n')
    expect(stream.channels).toEqual(['0', '1'])
    expect(stream.levels).toEqual(['0', '1'])
    expect(stream.samples).toBe(2)
  })

  it('does without a header, also when only the label is text', () => {
    expect(contents(open('1,2,0\n3,4,1\n'))).toEqual([
      [1, 2, 0],
      [3, 4, 1],
    ])
    const text = open('1,2,safe\n3,4,unsafe\n5,6,safe\n')
    expect(text.levels).toEqual(['safe', 'unsafe'])
    expect(contents(text)).toEqual([
      [1, 2, 0],
      [3, 4, 1],
      [5, 6, 0],
    ])
  })

  it('keeps the levels of many labels apart', () => {
    const rows = Array.from({ length: 200 }, (_, i) => `${i},${199 - i}`)
    expect(contents(open(`a,l\n${rows.join('\n')}\n`))).toEqual(rows.map((row) => row.split(',').map(Number)))
  })

  it('takes the label by name, maps numbers by value and text by appearance', () => {
    const stream = open('state,a\n3,1\n1,2\n2,3\n', { label: 'state' })
    expect(stream.levels).toEqual(['1', '2', '3'])
    expect(contents(stream)).toEqual([
      [1, 2],
      [2, 0],
      [3, 1],
    ])
    expect(open('a,s\n1,z\n2,a\n').levels).toEqual(['z', 'a'])
  })

  it('reads gzip and stops after --samples', () => {
    const path = write('t.csv.gz', gzipSync('a,l\n1,0\n2,1\n3,0\n'))
    expect(contents(openStream(path, { samples: 2 }))).toEqual([
      [1, 0],
      [2, 1],
    ])
    expect(openStream(path, { samples: 99 }).samples).toBe(3)
  })

  it('fills missing values only when told how', () => {
    const text = 'a,b,l\n1,10,0\n?,20,1\n5,NaN,0\n,30,1\n'
    expect(() => open(text)).toThrow('line 3, column 1 (a): missing value')
    expect(contents(open(text, { missing: 'last' })).map(([a, b]) => [a, b])).toEqual([
      [1, 10],
      [1, 20],
      [5, 20],
      [5, 30],
    ])
    expect(contents(open(text, { missing: 'mean' })).map(([a, b]) => [a, b])).toEqual([
      [1, 10],
      [1, 20],
      [5, 15],
      [3, 30],
    ])
    expect(() => open('a,l\n?,0\n1,1\n', { missing: 'last' })).toThrow('no earlier value')
  })

  it.each<[string, string, TableOptions?]>([
    ['a,l\n1,0\n1,2,0\n', 'line 3: 3 columns where the first row has 2'],
    ['a,l\nx,0\n', 'line 2, column 1 (a): "x" is not a number'],
    ['a,l\n1e999,0\n', 'is not a number'],
    ['a,l\n1,\n', 'line 2: the label is missing'],
    ['a,l\n', 'no data rows'],
    ['', 'no data rows'],
    ['a\n1\n', 'one column only'],
    ['a,l\n1,0\n2,0\n', 'only one level'],
    ['a,l\n1,0\n', 'no column "state"; there are a, l', { label: 'state' }],
    [`a,l\n${Array.from({ length: 300 }, (_, i) => `1,${i}`).join('\n')}`, 'more than 255 different labels'],
  ])('refuses %j', (text, message, options) => {
    expect(() => open(text, options)).toThrow(DataError)
    expect(() => open(text, options)).toThrow(message)
  })

  it('refuses files that are not there or not whole', () => {
    expect(() => openStream(join(folder, 'none.csv'))).toThrow('no such file')
    expect(() => openStream(write('cut.csv.gz', gzipSync('a,l\n1,0\n').subarray(0, 12)))).toThrow(
      'not a complete gzip file',
    )
  })

  it('gives back an exported dive bit for bit, in the format of the real data set', () => {
    const original = dive({ samples: 300, seed: 3 })
    const text = [...csvLines(original)].join('')
    expect(text.split('\n')[0].split(',')).toHaveLength(25)
    const read = open(text)
    expect(read.channels).toEqual(original.channels)
    expect(contents(read)).toEqual(contents(original))
  })

  it('reads a file with the header of the Jiaolong data set', () => {
    const header =
      'roll_angle,pitch_angle,yaw_angle,bow_velocity,roll_velocity,pitch_velocity,salinity,temperature,depth,velocity,' +
      'thrust_x,thrust_y,thrust_z,moment_x,moment_y,moment_z,oxygen,carbon_dioxide,cabin_pressure,cabin_temperature,' +
      'cabin_humidity,emergency_hydraulic_pressure,backup_2,backup_3,label'
    const rows = [2, 0, 1, 0].map((label, row) => [...Array.from({ length: 24 }, (_, i) => i / 8 - row), label].join())
    const stream = open([header, ...rows].join('\n'))
    expect(stream.channels).toEqual(dive().channels)
    expect(stream.levels).toEqual(['0', '1', '2'])
    expect(contents(stream)[0].slice(-2)).toEqual([23 / 8, 2])
  })
})

describe('addresses', () => {
  it('opens generators with settings', () => {
    expect(openStream('dive:samples=100,seed=5').samples).toBe(100)
    expect(openStream('dive', { samples: 50 }).samples).toBe(50)
    // What an address says wins.
    expect(openStream('dive:samples=20', { samples: 50 }).samples).toBe(20)
    expect(contents(openStream('sea:seed=5', { seed: 9, samples: 20 }))).toEqual(
      contents(openStream('sea', { seed: 5, samples: 20 })),
    )
    expect(contents(openStream('dive:seed=5,samples=20'))).toEqual(
      contents(openStream('dive', { seed: 5, samples: 20 })),
    )
  })

  it.each(['dive:depth=3', 'dive:seed=', 'dive:seed=x', 'dive:samples=-1', 'factory', 'plant.xlsx'])(
    'refuses %s',
    (address) => {
      expect(() => openStream(address)).toThrow(OptionError)
    },
  )
})
