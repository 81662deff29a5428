import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Random } from '@pb-oel/core'
import fc from 'fast-check'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../testing/folder.ts'
import { CsvRows, rowTexts } from './csv.ts'
import { fileBytes } from './file-bytes.ts'
import { numberCell } from './number-cell.ts'
import { type OpenOptions, openFile, openStream } from './open-stream.ts'
import { describeStream } from './stream-info.ts'
import type { TableOptions } from './table-options.ts'
import { timeCell } from './time-cell.ts'

const folder = testFolder()
const open = (name: string, text: string | Uint8Array, options?: OpenOptions) =>
  openFile(folder.write(name, text), options)
const contents = (stream: Iterable<{ x: Float64Array; level: number }>) =>
  Array.from(stream, ({ x, level }) => [...x, level])

describe('numbers in cells', () => {
  const read = (text: string, comma = false) => numberCell(new TextEncoder().encode(text), 0, text.length, comma)

  it('have the bits that Number gives', () => {
    const digits = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 19n }), fc.integer({ min: -40, max: 40 }))
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      digits.map(([mantissa, power]) => `-${mantissa}e${power}`),
      fc.tuple(fc.nat(), fc.nat()).map(([whole, part]) => ` ${whole}.${part} `),
    )
    fc.assert(
      fc.property(number, (text) => {
        expect(read(text)).toBe(Number(text))
      }),
      { numRuns: 3000 },
    )
  })

  it('of 15 to 22 digits have them too, also close to the middle of two doubles', () => {
    const random = new Random(1, 'digits')
    const wrong: string[] = []
    const check = (text: string) => {
      if (!Object.is(read(text), Number(text))) wrong.push(text)
    }
    for (let i = 0; i < 30_000; i++) {
      const x = (random.uniform() - 0.5) * 10 ** random.integer(12)
      check(x.toPrecision(15 + random.integer(7)))
      // Between 1 and 2 doubles are 2^-52 apart: the middle of two has 53 binary places, and as many decimal ones.
      const middle = (BigInt(random.integer(2 ** 52)) * 2n + 1n) * 5n ** 53n
      check(
        `1.${middle
          .toString()
          .padStart(53, '0')
          .slice(0, 15 + (i % 7))}${i % 2 ? '1' : ''}`,
      )
    }
    expect(wrong).toEqual([])
    expect(['9007199254740993', '900719925474099300', '4503599627370496.5'].map((text) => read(text))).toEqual([
      9007199254740992, 900719925474099300, 4503599627370496,
    ])
  })

  it('know commas, missing values and what is no number', () => {
    expect(['1,5', '-0,25', ' 3 ', '1234567890123456,5'].map((text) => read(text, true))).toEqual([
      1.5, -0.25, 3, 1234567890123456.5,
    ])
    expect(['', '?', 'NaN', 'na', ' null '].map((text) => read(text))).toEqual(new Array(5).fill(Number.NaN))
    expect(['1,5', 'x', '1e999', '1.2.3', '--1', '1e', '0x', 'Infinity'].map((text) => read(text))).toEqual(
      new Array(8).fill(Infinity),
    )
    expect(read('1.234,5', true)).toBe(Infinity)
  })
})

describe('rows that come in pieces', () => {
  it('are the same wherever the pieces end', () => {
    const text = 'a;"b ""x""";l\r\n"1\n2";3,5;"0"\r\n\n"ü";;1'
    const whole = [
      ['a', 'b "x"', 'l'],
      ['1\n2', '3,5', '0'],
      ['ü', '', '1'],
    ]
    const bytes = new TextEncoder().encode(text)
    for (let size = 1; size <= bytes.length; size++) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.slice(i * size, (i + 1) * size),
      )
      const next = () => pieces.shift()
      const rows = new CsvRows({ next, close() {} }, 't')
      const found: string[][] = []
      while (rows.next()) found.push(rowTexts(rows))
      expect(found).toEqual(whole)
    }
  })
})

describe('files as plants have them', () => {
  const table = 'Zeit;Druck;Zustand\n1;1,5;gut\n2;-2,25;schlecht\n'
  const rows = [
    [1, 1.5, 0],
    [2, -2.25, 1],
  ]

  it.each<[string, string, Uint8Array]>([
    ['UTF-8 with a mark', 'm.csv', Buffer.from(`\ufeff${table}`)],
    ['UTF-16 little endian with a mark', 'l.csv', Buffer.from(`\ufeff${table}`, 'utf16le')],
    ['UTF-16 big endian with a mark', 'b.csv', Buffer.from(`\ufeff${table}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', 'n.csv', Buffer.from(table, 'utf16le')],
    ['UTF-16, packed', 'l.csv.gz', gzipSync(Buffer.from(`\ufeff${table}`, 'utf16le'))],
    ['tabs', 't.tsv', Buffer.from(table.replaceAll(';', '\t'))],
    ['tabs, packed', 't.tsv.gz', gzipSync(table.replaceAll(';', '\t'))],
    ['CRLF in .txt', 'c.txt', Buffer.from(table.replaceAll('\n', '\r\n'))],
  ])('reads decimal commas in %s', (_, name, bytes) => {
    const stream = open(name, bytes)
    expect(stream.channels).toEqual(['Zeit', 'Druck'])
    expect(contents(stream)).toEqual(rows)
  })

  it('takes the columns of a .tab file to be separated by tabs, whatever the first line has more of', () => {
    expect(open('c.tab', 'a,b,c\tl\n1\t0\n2\t1\n').channels).toEqual(['a,b,c'])
  })

  it('takes names that are not UTF-8 as Windows-1252', () => {
    expect(open('w.csv', Buffer.from('Temp °C;l\n1;0\n2;1\n', 'latin1')).channels).toEqual(['Temp °C'])
  })

  it('reads Parquet packed as a file, with times, by row groups', () => {
    const bytes = new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'at', data: [0, 1, 2, 3].map((s) => new Date(1.7e12 + 1000 * s)), type: 'TIMESTAMP' },
          { name: 'a', data: [1, 2, 3, 4], type: 'DOUBLE' },
          { name: 'l', data: ['x', 'y', 'x', 'y'], type: 'STRING' },
        ],
        rowGroupSize: 3,
      }),
    )
    const stream = open('t.parquet.gz', gzipSync(bytes), { time: 'at' })
    expect(Array.from(stream, ({ x, level, time }) => [x[0], level, time - 1.7e12])).toEqual([
      [1, 0, 0],
      [2, 1, 1000],
      [3, 0, 2000],
      [4, 1, 3000],
    ])
  })

  it.skipIf(spawnSync('python3', ['--version']).status !== 0)('reads what Python wrote (needs python3)', () => {
    const path = join(folder.path, 'python.csv')
    const script = `
import csv, sys
with open(sys.argv[1], 'w', newline='', encoding='utf-16') as f:
    w = csv.writer(f, dialect='excel-tab')
    w.writerow(['name "x"', 'b\\nc', 'l'])
    for i in range(4): w.writerow([i / 3, 1e300 * i, 'u' if i % 2 else 's'])
`
    execFileSync('python3', ['-c', script, path])
    const stream = openStream(path, { levels: ['s', 'u'] })
    expect(stream.channels).toEqual(['name "x"', 'b\nc'])
    expect(contents(stream)).toEqual([0, 1, 2, 3].map((i) => [i / 3, 1e300 * i, i % 2]))
  })
})

describe('large files', () => {
  it('are read anew by each iteration, packed or not, with the same result', () => {
    // 2,000 channels: more numbers than are kept in memory.
    const channels = Array.from({ length: 2000 }, (_, i) => i)
    const row = (t: number) => `${1e9 + t},${channels.map((i) => (t * i) % 97).join()},${t % 2}\n`
    const text = `t,${channels.map((i) => `c${i}`).join()},l\n${Array.from({ length: 4200 }, (_, t) => row(t)).join('')}`
    const path = folder.write('large.csv', text)
    const packed = `${path}.gz`
    writeFileSync(packed, gzipSync(text, { level: 1 }))
    for (const stream of [openFile(path, { time: 't' }), openFile(packed, { time: 't' })]) {
      expect(stream.samples).toBe(4200)
      for (let round = 0; round < 2; round++) {
        let t = 0
        for (const { x, level, time } of stream) {
          const same = x[1999] === (t * 1999) % 97 && level === t % 2 && time === (1e9 + t) * 1000
          if (!same) expect.fail(`sample ${t} differs`)
          t++
        }
        expect(t).toBe(4200)
      }
    }
    const changing = openFile(path, { time: 't' })
    folder.write('large.csv', text.slice(0, -30_000))
    expect(() => contents(changing)).toThrow(/changed|columns/)
  })

  it('refuses a quote that is never closed without reading all of it into memory', () => {
    let pieces = 0
    const letters = new Uint8Array(1 << 20).fill(97)
    const next = () => (pieces++ === 0 ? Uint8Array.of(34) : pieces < 1000 ? letters : undefined)
    const rows = new CsvRows({ next, close() {} }, 'endless.csv')
    expect(() => rows.next()).toThrow('line 1: the row is longer than 64 MiB; is a quote never closed?')
    expect(pieces).toBeLessThan(100)
  })

  it('unpacks piece by piece', () => {
    const path = folder.write('zeros.csv.gz', gzipSync(new Uint8Array(40 << 20)))
    const bytes = fileBytes(path)
    let total = 0
    let largest = 0
    for (let piece = bytes.next(); piece; piece = bytes.next()) {
      total += piece.length
      largest = Math.max(largest, piece.length)
    }
    expect(total).toBe(40 << 20)
    expect(largest).toBeLessThanOrEqual(1 << 20)
  })
})

describe('which column is what', () => {
  const text = 't,who,a,b,state,note\n1,x,1,10,low,p\n2,y,2,20,high,q\n3,z,3,30,low,r\n'

  it('drops, chooses and orders columns', () => {
    const dropped = open('d.csv', text, { drop: ['who', 'note'] })
    expect([dropped.channels, dropped.levels]).toEqual([
      ['t', 'a', 'b'],
      ['low', 'high'],
    ])
    const chosen = open('d.csv', text, { channels: ['b', 'a'], label: 'state' })
    expect(contents(chosen)).toEqual([
      [10, 1, 0],
      [20, 2, 1],
      [30, 3, 0],
    ])
  })

  it('orders levels as it is told, and warns where nobody told it', () => {
    const told = open('d.csv', text, { drop: ['who', 'note'], levels: ['high', 'low', 'never'] })
    expect([told.levels, told.warnings]).toEqual([['high', 'low', 'never'], []])
    expect(contents(told).map((row) => row.at(-1))).toEqual([1, 0, 1])
    const [warning] = open('d.csv', text, { drop: ['who', 'note'] }).warnings
    expect(warning).toContain('first appearance: low < high, safest first. Misses and false alarms')
    expect(warning).toContain('--levels low,high')
    const numbers = open('n.csv', 'a,l\n1,10\n2,9\n3,-1\n')
    expect([numbers.levels, numbers.warnings]).toEqual([['-1', '9', '10'], []])
    const arff = '@relation r\n@attribute a real\n@attribute l {z,y}\n@data\n1,y\n2,z\n'
    expect(open('w.arff', arff).warnings[0]).toContain('the file declares them: z < y')
    expect(open('w.arff', arff).levels).toEqual(['z', 'y'])
  })

  it('knows units, from the options or from the row below the header', () => {
    expect(open('d.csv', text, { drop: ['who', 'note'], units: { a: 'bar' } }).units).toEqual(['', 'bar', ''])
    const below = open('u.csv', 'a,b,l\n[m],(°C),\n1,2,0\n3,4,1\n', { units: 'row' })
    expect(below.units).toEqual(['m', '°C'])
    expect(below.samples).toBe(2)
    expect(describeStream(below).channels[0].unit).toBe('m')
  })

  it.each<[TableOptions, string]>([
    [{ drop: ['x'] }, 'no column "x"; there are t, who, a, b, state, note'],
    [{ channels: ['a'], drop: ['a'], label: 'state' }, 'a column cannot be two of'],
    [{ channels: ['state'], label: 'state' }, 'a column cannot be two of'],
    [{ drop: ['note'] }, 'column 2 (who): "x" is not a number; --drop "who" leaves the column out'],
    [{ drop: ['who', 'note'], levels: ['low', 'mid'] }, 'line 3: the label "high" is not one of low, mid'],
    [{ drop: ['who', 'note'], levels: ['low'] }, 'expected at least two levels'],
    [{ drop: ['who', 'note'], units: { z: 'm' } }, 'no column "z"'],
    [{ drop: ['t', 'who', 'a', 'b', 'state', 'note'] }, 'no column is left'],
  ])('refuses %j', (options, message) => {
    expect(() => open('d.csv', text, options)).toThrow(message)
  })
})

describe('times', () => {
  it.each<[string, string | undefined]>([
    ['2026-03-31T13:45:10Z', '2026-03-31T13:45:10.000Z'],
    ['2026-03-31 13:45:10,25+02:00', '2026-03-31T11:45:10.250Z'],
    ['2026-03-31T13:45:10-05:30', '2026-03-31T19:15:10.000Z'],
    ['2026/3/1', '2026-03-01T00:00:00.000Z'],
    ['2026-03-31T24:00:00Z', '2026-04-01T00:00:00.000Z'],
    // A leap second.
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
    ['31.03.2026 13:45', '2026-03-31T13:45:00.000Z'],
    ['01/04/2026 00:00:00.5', '2026-04-01T00:00:00.500Z'],
    ['1774964710', '2026-03-31T13:45:10.000Z'],
    ['1774964710000', '2026-03-31T13:45:10.000Z'],
    ['1774964710000000', '2026-03-31T13:45:10.000Z'],
    ['1774964710000000000', '2026-03-31T13:45:10.000Z'],
    // The largest number of seconds, then the smallest of milliseconds, and so on.
    ['99999999999', '5138-11-16T09:46:39.000Z'],
    ['100000000000', '1973-03-03T09:46:40.000Z'],
    ['99999999999999', '5138-11-16T09:46:39.999Z'],
    ['100000000000000', '1973-03-03T09:46:40.000Z'],
    ['-1774964710000', '1913-10-03T10:14:50.000Z'],
    ['31.02.2026', undefined],
    ['03/31/2026', undefined],
    ['2026-03-31T25:00:00Z', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('reads %s', (text, expected) => {
    const found = timeCell(text)
    expect(found === undefined ? found : new Date(found).toISOString()).toBe(expected)
  })

  const late = 't,a,l\n10,1,0\n30,3,1\n20,,0\n'

  it('refuses disorder, or sorts and then fills values in', () => {
    expect(() => open('t.csv', late, { time: 't', missing: 'last' })).toThrow(
      'line 4, column 1 (t): 20 is earlier than the row before; --sort sorts',
    )
    const sorted = open('t.csv', late, { time: 't', sort: true, missing: 'last' })
    expect(Array.from(sorted, ({ x, time }) => [x[0], time])).toEqual([
      [1, 10_000],
      [1, 20_000],
      [3, 30_000],
    ])
    // Wanted are the first two by time, not those that come first.
    const first = open('t.csv', late.replace(',,', ',2,'), { time: 't', sort: true, levels: ['0', '1'], samples: 2 })
    expect(Array.from(first, ({ x }) => x[0]).slice(0, 2)).toEqual([1, 2])
    expect(() => open('t.csv', late, { time: 't', sort: true })).toThrow(
      'the row of 1970-01-01T00:00:20.000Z, column a',
    )
  })

  it('may be equal, and rows of one time stay as they came', () => {
    const equal = 't,a,l\n5,1,0\n5,2,1\n4,3,0\n5,4,1\n'
    const sorted = open('e.csv', equal, { time: 't', sort: true })
    expect(Array.from(sorted, ({ x }) => x[0])).toEqual([3, 1, 2, 4])
    expect(open('e.csv', equal.replace('4,3,0\n', ''), { time: 't' }).samples).toBe(3)
  })

  it('in the last column leave the label to the one before it', () => {
    const stream = open('l.csv', 'a,l,t\n1,0,5\n2,1,6\n', { time: 't' })
    expect([stream.channels, stream.levels]).toEqual([['a'], ['0', '1']])
  })

  it('of Parquet and ARFF are read as they are meant, also those soon after 1970', () => {
    const at = [1000, 2000].map((ms) => new Date(ms))
    const columns = [
      { name: 'at', data: at, type: 'TIMESTAMP' as const },
      { name: 'a', data: [1, 2], type: 'DOUBLE' as const },
      { name: 'l', data: ['x', 'y'], type: 'STRING' as const },
    ]
    const bytes = new Uint8Array(parquetWriteBuffer({ columnData: columns }))
    const arff = '@relation r\n@attribute at date\n@attribute a real\n@attribute l {x,y}\n@data\n'
    const rows = at.map((time, i) => `"${time.toISOString()}",${i + 1},${'xy'[i]}\n`).join('')
    for (const stream of [open('e.parquet', bytes, { time: 'at' }), open('e.arff', arff + rows, { time: 'at' })]) {
      expect(Array.from(stream, ({ time }) => time)).toEqual([1000, 2000])
    }
  })

  it('says what to do with a column of times, and what a time is', () => {
    expect(() => open('t.csv', 't,a,l\n2026-01-01 00:00,1,0\n')).toThrow('it is a time: --time "t" reads it')
    expect(() => open('t.csv', 't,a,l\nnoon,1,0\n', { time: 't' })).toThrow('"noon" is not a time: ISO 8601')
  })

  it('tells rate and gaps', () => {
    // Twice the usual interval is no gap, three times is one.
    const skips = [
      [100, 50],
      [200, 2],
      [300, 1],
      [5000, 500],
    ]
    const times = Array.from({ length: 6000 }, (_, t) => skips.reduce((sum, [at, by]) => sum + (t >= at ? by : 0), t))
    const stream = open('g.csv', `t,a,l\n${times.map((t, i) => `${t},${i},${i % 2}`).join('\n')}`, { time: 't' })
    expect(describeStream(stream).time).toEqual({
      first: 0,
      last: 6552_000,
      interval: 1000,
      gaps: 3,
      longestGap: 501_000,
      longestGapAt: 5052_000,
    })
  })
})
