import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPoints } from './line-protocol.ts'
import { PRECISIONS, samplesOf } from './samples-of-points.ts'

const one = (text: string) => {
  const { points, wrong } = readPoints(text)
  expect(wrong).toEqual([])
  expect(points).toHaveLength(1)
  return points[0]
}

describe('the line protocol', () => {
  it('has numbers, whole numbers, truth values and texts', () => {
    const { fields, timestamp } = one('m a=1,b=-2.5e3,c=3i,d=4u,e=t,f=FALSE,g="x y, z=1" 1794736800000000000')
    expect(fields).toEqual(Object.entries({ a: 1, b: -2500, c: 3, d: 4, e: 1, f: 0, g: 'x y, z=1' }))
    expect(timestamp).toBe(1794736800000000000n)
  })

  it('has escaped commas, spaces and equals signs in names', () => {
    expect(one('a\\ b\\,c,t\\=g=v\\ w f\\ d=1')).toEqual({
      ...{ line: 1, measurement: 'a b,c', tags: [['t=g', 'v w']], fields: [['f d', 1]] },
    })
  })

  it('leaves out comments and empty lines, and counts them', () => {
    expect(readPoints('# a comment\n\r\nm a=1\r\n').points).toMatchObject([{ line: 3 }])
  })

  it('has texts over several lines, with quotes in them', () => {
    const { points, wrong } = readPoints('m a="one\ntwo \\"three\\"",b=1\nm a=2\n')
    expect(wrong).toEqual([])
    expect(points).toMatchObject([
      {
        fields: [
          ['a', 'one\ntwo "three"'],
          ['b', 1],
        ],
      },
      { line: 3 },
    ])
  })

  it.each([
    ['m', 'fields'],
    ['m a', 'key=value'],
    [',t=v a=1', 'measurement'],
    ['m,t a=1', 'key=value'],
    ['m a=x', '"x"'],
    ['m a=NaN', '"NaN"'],
    ['m a=1e999', '"1e999"'],
    ['m a="open', 'text in quotes'],
    ['m a=1 12.5', 'whole number'],
    ['m a=1 12 13', '"13"'],
  ])('refuses %s and says why, and takes the next line', (line, why) => {
    const { points, wrong } = readPoints(`${line}\nm a=1\n`)
    expect(wrong.map(({ message }) => message)).toEqual([expect.stringContaining(why)])
    expect(wrong[0].message).toMatch(/^line 1: /)
    expect(points).toMatchObject([{ line: 2 }])
  })

  it('takes the lines behind a quote that is never closed', () => {
    const { points, wrong } = readPoints(`${'m a=""="\n'.repeat(50)}m a=1\n`)
    expect([points.length, wrong.length]).toEqual([1, 50])
  })

  it('gives up behind 100 wrong lines', () => {
    const { points, wrong } = readPoints(`${'m a=""="\n'.repeat(100_000)}m a=1\n`)
    expect([points.length, wrong.length]).toEqual([0, 100])
  })

  it('refuses more tags than anybody has', () => {
    expect(readPoints(`m${',a=b'.repeat(65)} f=1`).wrong[0].message).toContain('at most 64 tags')
  })

  it('refuses more than 1,024 characters before the fields, and a time of more than 19 digits', () => {
    const { points, wrong } = readPoints(`${'m'.repeat(1024)} a=1\n${'m'.repeat(1025)} a=1\nm a=1 ${'1'.repeat(20)}\n`)
    expect([points.length, wrong.map(({ line }) => line)]).toEqual([1, [2, 3]])
  })

  it('takes any text without an error of ours', () => {
    const texts = fc.array(fc.constantFrom('m', ',', '=', ' ', '"', '\\', '\n', '1', 'i', 't', '#', '😀'))
    fc.assert(fc.property(texts, (parts) => void readPoints(parts.join(''))))
  })
})

describe('points as samples', () => {
  const samples = (text: string, ...channels: string[]) => samplesOf(readPoints(text).points, channels, 1_000_000n)

  it('joins the points of one moment, earlier moments first', () => {
    const { moments, wrong } = samples('tank p=2 20\ntank p=1 10\npump t=3 20\npump t=4 10\nother x=1 10\n', 'p', 't')
    expect(wrong).toEqual([])
    expect(moments.map(({ sample }) => [sample.at, sample.values])).toEqual([
      [10, { p: 1, t: 4 }],
      [20, { p: 2, t: 3 }],
    ])
  })

  it('finds a channel by field, by measurement and by tags, the most exact name first', () => {
    const text = 'cpu,cpu=0,host=a idle=1 5\ncpu,cpu=1,host=a idle=2 5\nmem,host=a idle=3 5\n'
    const names = ['cpu,cpu=0.idle', 'cpu,cpu=1,host=a.idle', 'mem.idle']
    expect(samples(text, ...names, 'idle').moments[0].sample.values).toEqual({
      ...{ 'cpu,cpu=0.idle': 1, 'cpu,cpu=1,host=a.idle': 2, 'mem.idle': 3 },
    })
  })

  it('refuses a moment with two values for a channel, or with a text', () => {
    const { moments, wrong } = samples('m,h=a p=1 1\nm,h=b p=2 1\nm p="x" 2\nm p=3 3\n', 'p')
    expect(moments.map(({ sample }) => sample.at)).toEqual([3])
    expect(wrong.map(({ message }) => message)).toEqual([
      'line 2: channel "p" has two values at one time: name it as "m,h=b.p"',
      'line 3: channel "p" has a text, expected a number',
    ])
  })

  it('gives equal samples of one time equal keys, and those without a time none', () => {
    const key = (text: string) => samples(text, 'a', 'b').moments[0].sample.key
    expect(key('m b=2,a=1 7')).toBe(key('m a=1 7\nn b=2 7'))
    expect(key('m a=1,b=2 7')).not.toBe(key('m a=1,b=3 7'))
    expect(key('m a=1')).toBeUndefined()
  })

  it('of a finer time than a millisecond are told apart by their keys; those without a time come last', () => {
    const { moments } = samplesOf(readPoints('m a=3\nm a=1 1000001\nm a=1 1000002\n').points, ['a'], 1n)
    expect(moments.map(({ sample }) => [sample.at, sample.values])).toEqual([
      ...[
        [1, { a: 1 }],
        [1, { a: 1 }],
        [undefined, { a: 3 }],
      ],
    ])
    expect(new Set(moments.map(({ sample }) => sample.key)).size).toBe(3)
  })

  it.each([
    ['ns', 7_200_000_000_000n],
    ['n', 7_200_000_000_000n],
    ['us', 7_200_000_000n],
    ['u', 7_200_000_000n],
    ['ms', 7_200_000n],
    ['s', 7_200n],
    ['m', 120n],
    ['h', 2n],
  ])('have their times in %s: two hours are %d', (unit, time) => {
    const { moments } = samplesOf(readPoints(`m a=1 ${time}`).points, ['a'], PRECISIONS[unit])
    expect(moments[0].sample.at).toBe(2 * 3_600_000)
  })

  it('are none of before 1970', () => {
    const { moments, wrong } = samples('m a=1 -1\n', 'a')
    expect([moments, wrong.length]).toEqual([[], 1])
  })
})
