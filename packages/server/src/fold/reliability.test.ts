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

  it('is what a hundred rounds of the estimation give', () => {
    const [agreed, differed] = [10_000, 10_000]
    const found = estimate([{ a: 'ada', b: 'bo', compared: 'verdict', agreed, differed }], 3)
    // Both are equally reliable: where they differ, either is right half of the time.
    const round = (r: number) =>
      (19 + (agreed * r ** 2) / (r ** 2 + (1 - r) ** 2) + differed / 2) / (20 + agreed + differed)
    let share = 0.95
    for (let i = 0; i < 100; i++) share = round(share)
    expect(found.get('ada')).toBeCloseTo(share, 12)
    expect(Math.abs(round(share) - share)).toBeGreaterThan(1e-6)
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

  /** Few opinions among three people, compared in both ways. */
  const FEW: Pair[] = [
    { a: 'ada', b: 'bo', compared: 'level', agreed: 30, differed: 6 },
    { a: 'ada', b: 'cy', compared: 'level', agreed: 25, differed: 15 },
    { a: 'bo', b: 'cy', compared: 'verdict', agreed: 20, differed: 9 },
  ]
  const LEVELS = 4

  /** Probability that two people agree: both right, or both wrong and in the same way. */
  function agreement({ compared }: Pair, r: number, s: number): number {
    const ways = compared === 'level' ? LEVELS - 1 : 1
    return r * s + ((1 - r) * (1 - s)) / ways
  }

  it('is where the likelihood of the answers, with the prior, is largest', () => {
    const posterior = (shares: ReadonlyMap<string, number>) => {
      const share = (name: string) => shares.get(name) as number
      const answers = FEW.map((pair) => {
        const p = agreement(pair, share(pair.a), share(pair.b))
        return pair.agreed * Math.log(p) + pair.differed * Math.log(1 - p)
      })
      // Nineteen right answers and one wrong are known of everybody.
      const known = [...shares.values()].map((r) => 19 * Math.log(r) + Math.log(1 - r))
      return [...answers, ...known].reduce((sum, one) => sum + one)
    }
    const found = estimate(FEW, LEVELS)
    expect([...found.keys()]).toEqual(['ada', 'bo', 'cy'])
    const best = posterior(found)
    for (const name of found.keys()) {
      for (const step of [1e-3, -1e-3]) {
        const moved = new Map(found).set(name, (found.get(name) as number) + step)
        expect(posterior(moved)).toBeLessThan(best)
      }
      const slope = [1e-6, -1e-6].map((step) => posterior(new Map(found).set(name, (found.get(name) as number) + step)))
      expect(Math.abs(slope[0] - slope[1]) / 2e-6).toBeLessThan(0.05)
    }
  })

  it('has a range by the information of all pairs, on the logit scale', () => {
    const found = reliabilities(FEW, LEVELS)
    const names = [...found.keys()]
    const r = names.map((name) => (found.get(name) as { estimate: number }).estimate)
    const matrix = names.map((_, i) => names.map((__, j) => (i === j ? 19 / r[i] ** 2 + 1 / (1 - r[i]) ** 2 : 0)))
    for (const pair of FEW) {
      const [i, j] = [names.indexOf(pair.a), names.indexOf(pair.b)]
      const p = agreement(pair, r[i], r[j])
      const by = [
        (agreement(pair, r[i] + 1e-6, r[j]) - agreement(pair, r[i] - 1e-6, r[j])) / 2e-6,
        (agreement(pair, r[i], r[j] + 1e-6) - agreement(pair, r[i], r[j] - 1e-6)) / 2e-6,
      ]
      const weight = (pair.agreed + pair.differed) / (p * (1 - p))
      for (const [k, x] of [i, j].entries())
        for (const [l, y] of [i, j].entries()) matrix[x][y] += weight * by[k] * by[l]
    }
    const minor = (i: number) => {
      const [a, b] = [0, 1, 2].filter((one) => one !== i)
      return matrix[a][a] * matrix[b][b] - matrix[a][b] * matrix[b][a]
    }
    const [[a, b, c], [d, e, f], [g, h, k]] = matrix
    const determinant = a * (e * k - f * h) - b * (d * k - f * g) + c * (d * h - e * g)
    for (const [i, name] of names.entries()) {
      const { low, high, estimate: share } = found.get(name) as { low: number; high: number; estimate: number }
      const logit = (x: number) => Math.log(x / (1 - x))
      const wide = (1.645 * Math.sqrt(minor(i) / determinant)) / (share * (1 - share))
      expect(logit(high) - logit(share)).toBeCloseTo(wide, 3)
      expect(logit(share) - logit(low)).toBeCloseTo(wide, 3)
    }
  })
})
