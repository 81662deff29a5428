import { describe, expect, it } from 'vitest'
import { forbidden, isStrict, reasonOf, summary } from '../scripts/skips.ts'

/** A skip as the reporter sees it. */
const skip = (name: string, file = 'a.test.ts') => ({ file, name, why: reasonOf(name) })

describe('what skipped tests say', () => {
  it.each([
    ['a real broker (needs mosquitto) > answers', 'needs mosquitto'],
    [
      'under load (soak: five minutes; PB_OEL_SOAK=1 runs it) > stays flat (heap)',
      'soak: five minutes; PB_OEL_SOAK=1 runs it',
    ],
    ['laws of x > learns (excused: it is told (and kept) nothing)', 'excused: it is told (and kept) nothing'],
    ['counts (1, 2)', undefined],
  ])('%s', (name, why) => expect(reasonOf(name)).toBe(why))

  it('one line for each file and reason, and the name of a test that gives none', () => {
    const skips = [skip('x (needs curl)'), skip('y (needs curl)'), skip('z'), skip('x (needs curl)', 'b.test.ts')]
    expect(summary(skips)).toEqual([
      '  2 tests of a.test.ts: needs curl',
      '  1 test of a.test.ts: no reason given: z',
      '  1 test of b.test.ts: needs curl',
    ])
  })

  it('strict allows soaks and excused laws, and neither a missing program nor a skip without a reason', () => {
    const skips = ['a (needs curl)', 'b (soak: long)', 'c (excused: by design)', 'd'].map((name) => skip(name))
    expect(forbidden(skips).map(({ name }) => name)).toEqual(['a (needs curl)', 'd'])
  })

  it('CI=true and PB_OEL_STRICT=1 are strict, and nothing else is', () => {
    expect([{ CI: 'true' }, { PB_OEL_STRICT: '1' }, {}, { CI: '' }, { PB_OEL_STRICT: '0' }].map(isStrict)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
