import type { LogRecord } from '@pb-oel/protocol'
import { describe, expect, it } from 'vitest'
import { describe as describeRecord } from './describe-record.ts'
import { toCsv, toJsonLines } from './export-records.ts'

describe('records', () => {
  const record: LogRecord = {
    sequence: 5,
    time: 0,
    kind: 'correction',
    hash: 'ab',
    body: { assessment: 1234, kind: 'label', level: 1, by: 'Ann' },
  }

  it('say in one line what happened', () => {
    expect(describeRecord(record, ['I', 'II'])).toBe('assessment 1,234: it was II')
  })

  it('become CSV that a spreadsheet reads as text', () => {
    const wicked = { ...record, body: { ...record.body, by: '=HYPERLINK("http://x","y")' } }
    expect(toCsv([wicked], ['I', 'II']).split('\r\n')[1]).toBe(
      '5,1970-01-01T00:00:00.000Z,correction,"\'=HYPERLINK(""http://x"",""y"")","assessment 1,234: it was II",ab',
    )
  })

  it('become JSON lines that are the records again', () => {
    expect(
      toJsonLines([record, record])
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([record, record])
  })
})
