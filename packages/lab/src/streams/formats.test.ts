import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { dive, type Stream } from '@pb-oel/core'
import fc from 'fast-check'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { DataError } from '../errors.ts'
import { testFolder } from '../testing/folder.ts'
import { csvLines } from './export-csv.ts'
import { openStream } from './open-stream.ts'
import { endingOf } from './spool.ts'
import type { TableOptions } from './table-options.ts'

const folder = testFolder()
const contents = (stream: Stream) => Array.from(stream, ({ x, level }) => [...x, level])
const open = (name: string, text: string | Uint8Array, options?: TableOptions) =>
  openStream(folder.write(name, text), options)

describe('ARFF', () => {
  const text = `% a comment
@RELATION pump
@attribute 'flow rate' NUMERIC
@attribute mode {off, slow, 'very fast'}
@attribute state {safe, warning, unsafe}
@data
1.5, slow, unsafe
% another
2.5,'very fast',safe
-3e2,off,unsafe
`
  it('takes names, words by their order, and levels in the order declared', () => {
    const stream = open('a.arff', text)
    expect(stream.channels).toEqual(['flow rate', 'mode'])
    expect(stream.levels).toEqual(['safe', 'unsafe'])
    expect(contents(stream)).toEqual([
      [1.5, 1, 1],
      [2.5, 2, 0],
      [-300, 0, 1],
    ])
    expect(contents(open('a.arff.gz', gzipSync(text)))).toEqual(contents(stream))
  })

  it('reads sparse rows: what is not mentioned is 0 or the first word', () => {
    const sparse =
      '@relation r\n@attribute a real\n@attribute b real\n@attribute c {x,y}\n@data\n{0 5, 2 y}\n{1 7}\n{}\n'
    expect(contents(open('s.arff', sparse))).toEqual([
      [5, 0, 1],
      [0, 7, 0],
      [0, 0, 0],
    ])
  })

  it('takes the label by name', () => {
    expect(open('l.arff', text, { label: 'mode' }).levels).toEqual(['off', 'slow', 'very fast'])
  })

  it.each([
    ['@relation r\n@attribute a real\n', 'no @data section'],
    ['@relation r\n@attribute a relational\n@data\n', 'attributes of type relational are not supported'],
    ['hello', 'line 1: expected @relation, @attribute or @data'],
    ['@attribute a real\n@attribute b {x,y}\n@data\n1,z\n1,x\n', 'line 4: the label "z" is not one of x, y'],
    ['@attribute a {p,q}\n@attribute b {x,y}\n@data\nr,x\n', 'line 4, column 1 (a): "r" is not one of p, q'],
    ['@attribute a real\n@attribute b {x,y}\n@data\n1,x,2\n', 'line 4: 3 columns where the first row has 2'],
    ['@attribute a real\n@attribute b {x,y}\n@data\n{9 1}\n', 'is not an index and a value'],
    ['@attribute a real\n@attribute b {x,y}\n@data\n{0 1\n', 'never closed'],
    ['@attribute a real\n@data\n1\n', 'one column only'],
  ])('refuses %j', (wrong, message) => {
    expect(() => open('w.arff', wrong)).toThrow(message)
  })
})

describe('NDJSON', () => {
  it('reads objects by their keys and arrays by their places', () => {
    const stream = open('a.ndjson', '{"flow":1,"on":true,"state":"ok"}\n\n{"on":false,"state":"bad","flow":2.5}\n')
    expect(stream.channels).toEqual(['flow', 'on'])
    expect(contents(stream)).toEqual([
      [1, 1, 0],
      [2.5, 0, 1],
    ])
    expect(contents(open('b.ndjson', '[1,2,0]\n[3,4,1]\n'))).toEqual([
      [1, 2, 0],
      [3, 4, 1],
    ])
    expect(contents(open('c.jsonl.gz', gzipSync('[1,0]\n[3,1]')))).toEqual([
      [1, 0],
      [3, 1],
    ])
  })

  it('knows missing values', () => {
    expect(() => open('m.ndjson', '{"a":1,"l":0}\n{"a":null,"l":1}\n')).toThrow('line 2, column 1 (a): missing value')
    expect(contents(open('n.ndjson', '{"a":1,"l":0}\n{"l":1}\n', { missing: 'last' }))).toEqual([
      [1, 0],
      [1, 1],
    ])
  })

  it.each([
    ['{"a":1', 'line 1: not JSON'],
    ['7\n', 'line 1: neither an object nor an array'],
    ['{"a":1,"l":0}\n{"a":1,"l":0,"z":3}\n', 'line 2: key "z" is not in the first line'],
    ['{"a":[1],"l":0}\n', 'line 1, key "a": neither a number nor text'],
    ['', 'no data rows'],
  ])('refuses %j', (wrong, message) => {
    expect(() => open('w.ndjson', wrong)).toThrow(message)
  })
})

describe('Parquet', () => {
  const file = (columnData: Parameters<typeof parquetWriteBuffer>[0]['columnData']) =>
    new Uint8Array(parquetWriteBuffer({ columnData }))

  it('reads numbers, whole numbers, booleans and text', () => {
    const bytes = file([
      { name: 'flow', data: [1.5, -2.25, 3], type: 'DOUBLE' },
      { name: 'count', data: [1n, 2n, 3n], type: 'INT64' },
      { name: 'on', data: [true, false, true], type: 'BOOLEAN' },
      { name: 'state', data: ['ok', 'bad', 'ok'], type: 'STRING' },
    ])
    const stream = open('a.parquet', bytes)
    expect(stream.channels).toEqual(['flow', 'count', 'on'])
    expect(stream.levels).toEqual(['ok', 'bad'])
    expect(contents(stream)).toEqual([
      [1.5, 1, 1, 0],
      [-2.25, 2, 0, 1],
      [3, 3, 1, 0],
    ])
    expect(contents(openStream(folder.write('b.parquet', bytes), { samples: 2 }))).toHaveLength(2)
  })

  it.each([
    ['GZIP', gzipSync],
    ['ZSTD', zstdCompressSync],
    ['BROTLI', brotliCompressSync],
  ] as const)('unpacks %s, and says in which row a cell is wrong', (codec, pack) => {
    const compressors = { [codec]: (bytes: Uint8Array) => new Uint8Array(pack(bytes)) }
    const l = { name: 'l', data: ['x', 'y', 'x', 'y'], type: 'STRING' as const }
    const packed = { codec, compressors, rowGroupSize: 2 }
    const good = [{ name: 'a', data: [1, 2, 3, 4], type: 'DOUBLE' as const }, l]
    expect(contents(open('p.parquet', new Uint8Array(parquetWriteBuffer({ columnData: good, ...packed }))))).toEqual(
      [1, 2, 3, 4].map((a) => [a, (a + 1) % 2]),
    )
    const bad = [
      {
        name: 'a',
        data: [{ b: 1 }, { b: 1 }, { b: 2 }, { b: 3 }].map((cell, i) => (i < 3 ? i : cell)),
        type: 'JSON' as const,
      },
      l,
    ]
    expect(() => open('q.parquet', new Uint8Array(parquetWriteBuffer({ columnData: bad, ...packed })))).toThrow(
      'row 4, column a: neither a number nor text',
    )
  })

  it('gives back a dive bit for bit', () => {
    const original = dive({ samples: 200 })
    const rows = contents(original)
    const columns = [...original.channels, 'label'].map((name, i) => ({
      name,
      data: rows.map((row) => row[i]),
      type: 'DOUBLE' as const,
    }))
    const read = open('dive.parquet', file(columns))
    expect(read.channels).toEqual(original.channels)
    expect(contents(read)).toEqual(rows)
  })

  it('knows missing values, and refuses what is no Parquet file', () => {
    const holes = file([
      { name: 'a', data: [1, null, 3], type: 'DOUBLE', nullable: true },
      { name: 'l', data: ['x', 'y', 'x'], type: 'STRING' },
    ])
    expect(() => open('m.parquet', holes)).toThrow('line 2, column 1 (a): missing value')
    expect(contents(open('m.parquet', holes, { missing: 'mean' }))).toEqual([
      [1, 0],
      [1, 1],
      [3, 0],
    ])
    expect(() => open('n.parquet', 'hello')).toThrow(DataError)
    expect(() => openStream('none.parquet')).toThrow('no such file')
  })
})

describe('any format', () => {
  it('gives the same stream for the same table', () => {
    const cell = fc.double({ noNaN: true, noDefaultInfinity: true })
    const row = fc.tuple(cell, cell, fc.integer({ min: 0, max: 3 }))
    fc.assert(
      fc.property(fc.array(row, { minLength: 2, maxLength: 12 }), (rows) => {
        const table = [...rows, [0, 0, 0], [0, 0, 1]]
        const csv = open('p.csv', `a,b,l\n${table.map((cells) => cells.join(',')).join('\n')}`)
        const ndjson = open('p.ndjson', table.map(([a, b, l]) => JSON.stringify({ a, b, l })).join('\n'))
        const arff = open(
          'p.arff',
          `@relation r\n@attribute a real\n@attribute b real\n@attribute l {0,1,2,3}\n@data\n${table.map((cells) => cells.join(',')).join('\n')}`,
        )
        // JSON and text know no −0.
        const plain = (stream: Stream) => contents(stream).map((cells) => cells.map((value) => value + 0))
        expect(plain(ndjson)).toEqual(plain(csv))
        expect(plain(arff)).toEqual(plain(csv))
      }),
      { numRuns: 40 },
    )
  })

  it.each([
    ['csv', 'a,b\n1,2\n'],
    ['csv', '[m],(°C)\n1,2\n'],
    ['csv', '"a";"b"\n'],
    ['ndjson', '{"a":1}\n'],
    ['ndjson', '\ufeff [1,"x"]\n'],
    ['arff', '% a comment\n@relation r\n'],
    ['arff', '@RELATION r\n'],
    ['parquet', 'PAR1 and more'],
    ['csv.gz', gzipSync('a,b\n')],
    ['ndjson', Buffer.from('\ufeff{"a":1}\n', 'utf16le')],
  ])('is known by its first bytes: %s', (ending, head) => {
    expect(endingOf(typeof head === 'string' ? new TextEncoder().encode(head) : head)).toBe(ending)
  })

  it('answers rubbish with a DataError and nothing else', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('csv', 'arff', 'ndjson'),
        fc.string({ maxLength: 60, unit: 'binary' }),
        (format, text) => {
          try {
            open(`r.${format}`, text)
          } catch (error) {
            expect(error).toBeInstanceOf(DataError)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('addresses of drift', () => {
  it('joins two streams', () => {
    const stream = openStream('abrupt:at=30+sea:concept=2,noise=0+sea:concept=3,noise=0', { samples: 100 })
    expect(stream.samples).toBe(100)
    contents(stream).forEach(([a, b, , level], t) => {
      expect(level).toBe(Number(a + b > (t < 30 ? 7 : 9.5)))
    })
    expect(openStream('recurring+led:samples=50+led:samples=40,swapped=3').samples).toBe(40)
  })

  it('also two files', () => {
    const file = folder.write('half.csv', [...csvLines(dive({ samples: 400 }))].join(''))
    expect(openStream(`gradual:width=10+${file}+${file}`).samples).toBe(400)
  })

  it.each([
    'abrupt',
    'abrupt+sea',
    'abrupt:at=x+sea+sea',
    'abrupt:when=3+sea+sea',
    'abrupt+sea+led',
    'abrupt+sea+nothing',
  ])('refuses %s', (address) => {
    expect(() => openStream(address)).toThrow(/option|is not/)
  })
})
