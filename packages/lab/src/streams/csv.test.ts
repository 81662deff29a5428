import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DataError } from '../errors.ts'
import { parseCsv } from './csv.ts'

function rows(text: string): string[][] {
  const found: string[][] = []
  parseCsv(text, 'test.csv', (fields) => found.push(fields))
  return found
}

const quoted = (field: string) =>
  /[",;\t\n\r]/.test(field) || field === '' ? `"${field.replaceAll('"', '""')}"` : field

describe('parseCsv', () => {
  it.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '\ufeffa,b\n1,2\n\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a;b\n1,5;2\n',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'a\tb\n1\t\n',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    [
      '"x ""y""",b\n"1\n2",3\n',
      [
        ['x "y"', 'b'],
        ['1\n2', '3'],
      ],
    ],
    [',\n', [['', '']]],
    ['', []],
  ])('reads %j', (text, expected) => {
    expect(rows(text)).toEqual(expected)
  })

  it('reads back whatever was written', () => {
    const field = fc.string({ unit: fc.constantFrom('a', '1', ',', '"', '\n', '\r\n', ' ', 'é') })
    const table = fc
      .integer({ min: 2, max: 5 })
      .chain((width) =>
        fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
      )
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n'), (table, end) => {
        // A first line with more tabs or semicolons than commas would be another format; commas always win here.
        expect(rows(table.map((row) => row.map(quoted).join(',')).join(end) + end)).toEqual(table)
      }),
    )
  })

  it('gives rows or a named error for any text, never anything else', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '1', ',', '"', '\n', '\r', ';', '\t'), maxLength: 60 })
    fc.assert(
      fc.property(text, (text) => {
        try {
          for (const row of rows(text)) expect(row.length).toBeGreaterThan(0)
        } catch (error) {
          expect(error).toBeInstanceOf(DataError)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('counts lines across quoted line breaks', () => {
    const lines: number[] = []
    parseCsv('a,b\n"1\n1",2\n3,4\n', 'x', (_, line) => lines.push(line))
    expect(lines).toEqual([1, 2, 4])
  })

  it.each([
    ['a,b\n"1,2\n', 'line 2: a quoted field is never closed'],
    ['a,b\n"1"x,2\n', 'line 2: text after the closing quote of field 1'],
  ])('refuses %j', (text, message) => {
    expect(() => rows(text)).toThrow(message)
  })
})
