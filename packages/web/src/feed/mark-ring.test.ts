import { describe, expect, it } from 'vitest'
import { MarkRing } from './mark-ring.ts'

describe('MarkRing', () => {
  it('forgets the oldest marks and shows those of a stretch of time', () => {
    const marks = new MarkRing(3)
    const seen: string[] = []
    for (const [i, mark] of (['alarm', 'right', 'wrong', 'drift'] as const).entries()) marks.push(i, mark)
    marks.each(0, 2.5, (time, mark) => seen.push(`${time} ${mark}`))
    expect(seen).toEqual(['1 right', '2 wrong'])
  })
})
