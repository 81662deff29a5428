import type { Reliability, SecondOpinionBody } from '@pb-oel/protocol'

/** How often the answers of two reviewers about the same moments agreed and differed. */
export interface Pair {
  readonly a: string
  readonly b: string
  readonly compared: SecondOpinionBody['compared']
  agreed: number
  differed: number
}

/** What a reviewer is taken for before anything is known: right in 19 of 20 answers. */
const PRIOR = { right: 19, wrong: 1 }
export const USUAL = PRIOR.right / (PRIOR.right + PRIOR.wrong)
/** Rounds of the estimation. Their number is fixed, so that a replay has the same bits. */
const ROUNDS = 100
/** Half-width of a 90 % range in standard deviations. */
const NINETY = 1.6448536269514722

/**
 * The share of right answers of each reviewer with second opinions, by expectation maximisation: each answer is right
 * with the reviewer's own probability, whatever the other one says, and a wrong one is any of the other things that
 * could be said (Dawid and Skene 1979, with one parameter per person). Only sums, products and quotients: the same bits
 * on every engine.
 *
 * @param levels of the system
 */
export function estimate(pairs: readonly Pair[], levels: number): Map<string, number> {
  const people = new Map<string, number>()
  for (const { a, b } of pairs) for (const name of [a, b]) people.set(name, USUAL)
  for (let round = 0; round < ROUNDS; round++) {
    const sums = new Map([...people.keys()].map((name) => [name, { right: PRIOR.right, all: USUAL_WEIGHT }]))
    for (const pair of pairs) {
      const [r, s] = [people.get(pair.a) as number, people.get(pair.b) as number]
      const others = otherThings(pair, levels)
      const said = pair.agreed + pair.differed
      for (const [name, own, other] of [
        [pair.a, r, s],
        [pair.b, s, r],
      ] as const) {
        const sum = sums.get(name) as { right: number; all: number }
        sum.right +=
          pair.agreed * rightIfAgreed(own, other, others) + pair.differed * rightIfDiffered(own, other, others)
        sum.all += said
      }
    }
    for (const [name, { right, all }] of sums) people.set(name, right / all)
  }
  return people
}

const USUAL_WEIGHT = PRIOR.right + PRIOR.wrong

/** How many wrong things a reviewer could have said. */
const otherThings = ({ compared }: Pair, levels: number) => (compared === 'verdict' ? 1 : levels - 1)

function rightIfAgreed(own: number, other: number, others: number): number {
  const right = own * other
  return right / (right + ((1 - own) * (1 - other)) / others)
}

function rightIfDiffered(own: number, other: number, others: number): number {
  const right = own * (1 - other)
  const wrong = other * (1 - own) + (1 - own) * (1 - other) * (1 - 1 / others)
  return right / (right + wrong)
}

/** The same with 90 % ranges: normal on the logit scale, from the expected information of all pairs and the prior. */
export function reliabilities(pairs: readonly Pair[], levels: number): Map<string, Reliability> {
  const people = estimate(pairs, levels)
  const names = [...people.keys()]
  const variances = diagonalOfInverse(information(pairs, people, names, levels))
  return new Map(
    names.map((name, i) => {
      const r = people.get(name) as number
      const wide = (NINETY * Math.sqrt(variances[i])) / (r * (1 - r))
      const logit = Math.log(r / (1 - r))
      const at = (x: number) => 1 / (1 + Math.exp(-x))
      return [name, { estimate: r, low: at(logit - wide), high: at(logit + wide) }]
    }),
  )
}

function information(pairs: readonly Pair[], people: Map<string, number>, names: string[], levels: number): number[][] {
  const matrix = names.map((name, i) => {
    const r = people.get(name) as number
    return names.map((_, j) => (i === j ? PRIOR.right / r ** 2 + PRIOR.wrong / (1 - r) ** 2 : 0))
  })
  for (const pair of pairs) {
    const [i, j] = [names.indexOf(pair.a), names.indexOf(pair.b)]
    const [r, s] = [people.get(pair.a) as number, people.get(pair.b) as number]
    const others = otherThings(pair, levels)
    const agree = r * s + ((1 - r) * (1 - s)) / others
    const weight = (pair.agreed + pair.differed) / Math.max(1e-9, agree * (1 - agree))
    const [byA, byB] = [s - (1 - s) / others, r - (1 - r) / others]
    matrix[i][i] += weight * byA * byA
    matrix[j][j] += weight * byB * byB
    matrix[i][j] += weight * byA * byB
    matrix[j][i] += weight * byA * byB
  }
  return matrix
}

/** By Gauss and Jordan; a matrix of information is positive definite, so that no rows need be swapped. */
function diagonalOfInverse(matrix: readonly (readonly number[])[]): number[] {
  const rows = matrix.map((row, i) => [...row, ...matrix.map((_, j) => (i === j ? 1 : 0))])
  for (const [i, pivot] of rows.entries()) {
    const scale = pivot[i]
    for (let k = 0; k < pivot.length; k++) pivot[k] /= scale
    for (const [j, row] of rows.entries()) {
      if (j === i) continue
      const factor = row[i]
      for (let k = 0; k < row.length; k++) row[k] -= factor * pivot[k]
    }
  }
  return rows.map((row, i) => row[matrix.length + i])
}
