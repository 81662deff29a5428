import { describe, expect, it } from 'vitest'
import { readAnswer } from './answer.ts'
import { InvalidShape } from './reader.ts'
import { readSample } from './sample.ts'
import { readNewToken } from './token.ts'

describe('what arrives', () => {
  it.each([[{ values: [1, null, -2.5] }], [{ values: { depth: 1, oxygen: null }, at: 0, key: 'a', mode: 'partial' }]])(
    'a sample such as %j is taken as it is',
    (sample) => {
      expect(readSample(sample)).toEqual(sample)
    },
  )

  it.each([
    [null, 'sample: expected object'],
    [[1, 2], 'sample: expected object'],
    [{ values: 3 }, 'sample/values: expected numbers in the order of the channels'],
    [{ values: [1, 'x'] }, 'sample/values/1: expected a number or null'],
    [{ values: { depth: true } }, 'sample/values/depth: expected a number or null'],
    [{ values: [Number.POSITIVE_INFINITY] }, 'sample/values/0: expected a number or null'],
    [{ values: [1], mode: 'often' }, 'sample/mode: expected one of full, partial, unknown'],
    [{ values: [1], at: -1 }, 'sample/at: expected'],
    [{ values: [1], key: 'a b' }, 'sample/key: expected'],
    [{ values: [1], colour: 1 }, 'sample/colour: unexpected property'],
  ])('a sample such as %j is refused: %s', (sample, message) => {
    expect(() => readSample(sample)).toThrow(InvalidShape)
    expect(() => readSample(sample)).toThrow(message)
  })

  it.each([
    [{ assessment: 1, kind: 'maybe' }, 'answer/kind: expected one of confirm, reject, label'],
    [{ assessment: 1, kind: 'label' }, 'answer/level: a level belongs to the kind label'],
    [{ assessment: 1, kind: 'confirm', level: 1 }, 'answer/level: a level belongs to the kind label'],
    [{ assessment: -1, kind: 'confirm' }, 'answer/assessment: expected'],
    [{ assessment: 1, kind: 'confirm', answer: 'confirm' }, 'answer/answer: this is the former name of kind'],
    [{ assessment: 1, answer: 'maybe' }, 'answer/kind: expected one of'],
    [{ assessment: 1 }, 'answer/kind: expected'],
  ])('an answer such as %j is refused: %s', (answer, message) => {
    expect(() => readAnswer(answer)).toThrow(message)
  })

  it('former names are taken, and become the present ones', () => {
    expect(readAnswer({ assessment: 1, answer: 'label', level: 2 })).toEqual({ assessment: 1, kind: 'label', level: 2 })
    expect(readNewToken({ name: 'eva', roles: ['expert'] })).toEqual({ name: 'eva', roles: ['reviewer'] })
    expect(() => readNewToken({ name: 'eva', roles: ['king'] })).toThrow('body/roles/0: expected one of sensor')
  })
})
