import { describe, expect, it } from 'vitest'
import { DataError } from '../errors.ts'
import { readChecks } from './read-checks.ts'

describe('readChecks', () => {
  it('reads one check per row, whatever the order of the columns', () => {
    expect(readChecks('time,right,probability\n1,1,0.05\r\n2,0,1\n3,true,0.5\n', 'c.csv')).toEqual([
      { probability: 0.05, right: true },
      { probability: 1, right: false },
      { probability: 0.5, right: true },
    ])
    expect(readChecks('probability,right\n', 'c.csv')).toEqual([])
  })

  it.each([
    ['', 'empty'],
    ['p,right\n', 'no column "probability"'],
    ['probability,ok\n', 'no column "right"'],
    ['probability,right\n0,1\n', 'line 2: probability is "0"'],
    ['probability,right\n0.1,1\n,1\n', 'line 3: probability is ""'],
    ['probability,right\n0.1,yes\n', 'line 2: right is "yes"'],
    ['probability,right\n0.1\n', 'line 2: right is ""'],
  ])('refuses %j and says where', (text, message) => {
    expect(() => readChecks(text, 'c.csv')).toThrow(DataError)
    expect(() => readChecks(text, 'c.csv')).toThrow(message)
  })
})
