import { Random } from '@pb-oel/core'
import { describe, expect, it } from 'vitest'
import { estimate, type Pair, reliabilities } from './reliability.ts'

const TEAM = { ada: 0.97, bo: 0.93, cy: 0.8, di: 0.65 }

/** Second opinions of a team whose reliabilities are known. */
function opinions(
  random: Random,
  each: number,
  team: Record<string, number> = TEAM,
  compared: Pair['compared'] = 'verdict',
) {
  const names = Object.keys(team)
  return names.flatMap((a, i) =>
    names.slice(i + 1).map((b): Pair => {
      const pair: Pair = { a, b, compared, agreed: 0, differed: 0 }
      for (let k = 0; k < each; k++) {
        const said = [a, b].map((name) =>
          random.uniform() < team[name] ? 0 : compared === 'verdict' ? 1 : 1 + random.integer(2),
        )
        if (said[0] === said[1]) pair.agreed++
        else pair.differed++
      }
      return pair
    }),
  )
}

describe('reliability', () => {
  it.each(['verdict', 'level'] as const)('is found from pairs of answers compared by %s', (compared) => {
    const found = estimate(opinions(new Random(1, 'team'), 2_000, TEAM, compared), 3)
    for (const [name, share] of Object.entries(TEAM)) expect(found.get(name)).toBeCloseTo(share, 1)
    expect([...found].sort((a, b) => b[1] - a[1]).map(([name]) => name)).toEqual(['ada', 'bo', 'cy', 'di'])
  })

  it('holds two people who only know each other for equally reliable', () => {
    const found = estimate([{ a: 'ada', b: 'bo', compared: 'verdict', agreed: 82, differed: 18 }], 3)
    expect(found.get('ada')).toBe(found.get('bo'))
    expect(found.get('ada')).toBeCloseTo(0.9, 1)
  })

  it('is in its 90 % range for at least 85 of 100 people, and the range narrows with second opinions', () => {
    const random = new Random(2, 'teams')
    let [inside, all] = [0, 0]
    const widths = [20, 200].map((each) => {
      let width = 0
      for (let team = 0; team < 60; team++) {
        const found = reliabilities(opinions(random, each), 3)
        for (const [name, share] of Object.entries(TEAM)) {
          const { low, high } = found.get(name) as { low: number; high: number }
          all++
          if (low <= share && share <= high) inside++
          width += high - low
        }
      }
      return width
    })
    expect(inside / all).toBeGreaterThan(0.85)
    expect(widths[1]).toBeLessThan(widths[0] / 2)
  })
})
