/** A mutant that no test can kill, because it computes the same. */
export interface Equivalent {
  readonly file: string
  /** The line of the source, without the spaces around it. */
  readonly line: string
  /** What stands there instead, as the report shows it. */
  readonly replacement: string
  readonly why: string
}

/** Mutants of one file that are equivalent for one reason: pairs of line and replacement. */
function same(
  file: string,
  why: string,
  pairs: readonly (readonly [line: string, replacement: string])[],
): Equivalent[] {
  return pairs.map(([line, replacement]) => ({ file: `packages/core/src/${file}`, line, replacement, why }))
}

const DRAW = 'a number drawn from 2⁵³ is never the given one'
const BEYOND = 'reading behind the end of an array gives undefined, which adds, counts or compares as nothing'
const IDLE = 'only saves work, memory or draws that nobody uses'
const TIE = 'where both are equal, either gives the same result'

const MODEL = 'feedback/feedback-model.ts'
const ASKER = 'asking/asker.ts'
const SCORES = 'asking/scores.ts'

/** Survivors that stay, each with its reason. `npm run mutate` names entries that match no survivor any more. */
export const EQUIVALENTS: readonly Equivalent[] = [
  ...same('metrics/confusion.ts', 'the row and the column behind the last are empty, and empty ones do not count', [
    [
      'for (let k = 0; k < this.levels; k++) chance += share(this.row(k), total) * share(this.column(k), total)',
      'k <= this.levels',
    ],
    [
      'for (let k = 0; k < this.levels; k++) sum += share(2 * this.hits(k), this.row(k) + this.column(k))',
      'k <= this.levels',
    ],
    ['for (let k = 0; k < this.levels; k++) {', 'k <= this.levels'],
  ]),
  ...same('metrics/prequential.ts', BEYOND, [
    [
      'for (let k = 1; k < this.seen.length; k++) if (this.seen[k] > this.seen[majority]) majority = k',
      'k <= this.seen.length',
    ],
  ]),
  ...same('metrics/weighted-outcomes.ts', 'equal levels have returned before', [
    ["return assessed < truth ? 'miss' : 'false alarm'", 'assessed <= truth'],
  ]),
  ...same(MODEL, DRAW, [
    ["return this.modes.uniform() < this.rho ? 'full' : 'partial'", 'this.modes.uniform() <= this.rho'],
    [
      'if (!right && this.skipWhenWrong > 0 && this.whims.uniform() < this.skipWhenWrong) return',
      'this.whims.uniform() <= this.skipWhenWrong',
    ],
    [
      'const named = !right && this.volunteer > 0 && this.whims.uniform() < this.volunteer',
      'this.whims.uniform() <= this.volunteer',
    ],
    [
      'return this.absences.uniform() >= (1 - missing) * power(2, -this.time / halfLife)',
      'this.absences.uniform() > (1 - missing) * power(2, -this.time / halfLife)',
    ],
    ['const wrong = this.wrong > 0 && this.errors.uniform() < this.wrong', 'this.errors.uniform() <= this.wrong'],
  ]),
  ...same(MODEL, IDLE, [
    ['private shown = false', 'true'],
    ['if (absent || delay < 0) return', 'false'],
    ['if (wait === 0) this.deliver(id, feedback)', 'false'],
    ['if (underway.size > 0) {', 'true'],
    ['if (underway.size > 0) {', 'underway.size >= 0'],
    ['underway.delete(this.time)', ';'],
    ['if (missing === 0 && halfLife === Infinity) return false', 'false'],
    ['if (spare.length === now.length) spare.push({ id, feedback })', 'true'],
    ['if (spare.length === now.length) spare.push({ id, feedback })', '{}'],
    ['const wrong = this.wrong > 0 && this.errors.uniform() < this.wrong', 'true'],
    ['const wrong = this.wrong > 0 && this.errors.uniform() < this.wrong', 'this.wrong >= 0'],
  ]),
  ...same(MODEL, 'the options of a delay refuse it under the same name', [
    ["return typeof value === 'number' || (typeof value === 'object' && value !== null)", 'true'],
    [
      "return typeof value === 'number' || (typeof value === 'object' && value !== null)",
      "typeof value === 'object' || value !== null",
    ],
  ]),
  ...same(ASKER, DRAW, [
    ['if (this.random.uniform() >= this.latest) return undefined', 'this.random.uniform() > this.latest'],
    ['const chosen = this.random.uniform() < probability', 'this.random.uniform() <= probability'],
  ]),
  ...same(ASKER, BEYOND, [
    ['for (let k = 0; k < probabilities.length; k++) label += surprise(probabilities[k])', 'k <= probabilities.length'],
  ]),
  ...same(ASKER, 'edition 1 asks at random with relative score 1, so that the floor drops out', [
    ["this.floor = settings.strategy === 'random' && this.edition > 1 ? 1 : settings.floor", 'true'],
    ["this.floor = settings.strategy === 'random' && this.edition > 1 ? 1 : settings.floor", 'this.edition >= 1'],
  ]),
  ...same(SCORES, BEYOND, [
    ['for (let k = 0; k < p.length; k++) {', 'k <= p.length'],
    ['for (let k = 0; k < probabilities.length; k++) {', 'k <= probabilities.length'],
    ['for (let n = 0; n < experts.length; n++) if (experts[n] === k) votes++', 'n <= experts.length'],
    ['for (let n = 0; n < drifts.length; n++) if (drifts[n] === 1) this.suspicion = 1', 'n <= drifts.length'],
  ]),
  ...same(SCORES, TIE, [
    ['if (p[k] > first) {', 'p[k] >= first'],
    ['} else if (p[k] > second) second = p[k]', 'p[k] >= second'],
  ]),
]
