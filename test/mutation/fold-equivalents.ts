import { type Equivalent, inServer } from './equivalent.ts'

const STRYKER = '["Stryker was here"]'

/** Survivors among the mutants of the fold, each with its reason. */
export const FOLD_EQUIVALENTS: readonly Equivalent[] = [
  ...inServer('fold/alarm-rule.ts', 'the only step of an escalation has none before it that could be later', [
    ['function checkSteps(at: string, { escalation = [] }: AlarmSetting): void {', STRYKER],
  ]),
  ...inServer('fold/alarm-rule.ts', 'what no rule is called is suppressed by nothing and is not the rule in question', [
    ['for (const by of alarms[rule]?.suppressedBy ?? []) {', STRYKER],
  ]),
  ...inServer('fold/ranges.ts', 'a value at a limit is inside, and has returned before', [
    ["if (action === 'clip') return { value: value < min ? min : max, degraded: true }", 'value <= min'],
  ]),
  ...inServer('fold/recent-assessments.ts', 'only sets memory aside: an array grows by itself', [
    ['this.ring = new Array(capacity)', 'new Array()'],
  ]),
  ...inServer('fold/recent-assessments.ts', 'nothing is kept under the numbers behind the latest', [
    ['const last = Math.min(to, this.next - 1)', 'this.next + 1'],
  ]),
  ...inServer('fold/recent-assessments.ts', 'neither the margin nor the votes look at drifts', [
    ['uncertainty: MARGIN.score({ ...recent, drifts: [] }),', STRYKER],
    [
      'return most === 0 ? 0 : Math.min(1, VOTES.score({ experts, probabilities, confidence: 0, drifts: [] }) / most)',
      STRYKER,
    ],
  ]),
  ...inServer('fold/recent-assessments.ts', 'places that were never written are holes, which a filter passes over', [
    ['return this.ring.filter((recent) => recent !== undefined).sort((a, b) => a.assessment - b.assessment)', 'true'],
  ]),
  ...inServer('fold/reviewer-book.ts', 'the order of two equal names is the same', [
    ['const [a, b] = by < of ? [by, of] : [of, by]', 'by <= of'],
  ]),
  ...inServer('fold/reviewer-book.ts', 'only saves work: the same pairs give the same estimate', [
    ['if (this.known?.levels !== levels) this.known = { levels, shares: estimate(this.list(), levels) }', 'true'],
  ]),
  ...inServer('fold/system-fold.ts', 'no set of left-out stretches holds undefined', [
    ['if (stretch !== undefined && this.leftOut.has(stretch)) return false', 'true'],
  ]),
  ...inServer('fold/hear-person.ts', 'of what people say, only assignments may name no assessment', [
    ["if (kind === 'assignment' && body.assessment === undefined) {", 'true'],
  ]),
]
