import type { Edit } from '../../scripts/source-copy.ts'

/** A single wrong line, and the tests of which at least one must fail with it. */
export interface PlantedError extends Edit {
  readonly name: string
  readonly tests: readonly string[]
}

const CORE = 'packages/core/src'
const SERVER = 'packages/server/src'
const PB_OEL = [`${CORE}/pb-oel/pb-oel.test.ts`]

/** Errors that once went unnoticed, or that would be dangerous. `npm run planted` puts each in and wants a failure. */
export const PLANTED: readonly PlantedError[] = [
  {
    name: 'a restart no longer resets the weights',
    file: `${CORE}/pb-oel/pb-oel.ts`,
    right: '    this.monitor.endBatch(gamma)\n    this.weights.reset()\n',
    wrong: '    this.monitor.endBatch(gamma)\n',
    tests: PB_OEL,
  },
  {
    name: 'a restart at ≥ T^α instead of >',
    file: `${CORE}/pb-oel/schedule.ts`,
    right: 'this.batchRounds > this.interval',
    wrong: 'this.batchRounds >= this.interval',
    tests: [`${CORE}/pb-oel/bounds.test.ts`],
  },
  {
    name: 'importance is ignored',
    file: `${CORE}/pb-oel/pb-oel.ts`,
    right: '(full || !this.sampled ? 1 : 1 / answer.probability) * answer.importance',
    wrong: 'full || !this.sampled ? 1 : 1 / answer.probability',
    tests: [`${CORE}/experts/expert-ensemble.test.ts`],
  },
  {
    name: 'the probability of the drawn level is ignored',
    file: `${CORE}/pb-oel/pb-oel.ts`,
    right: '!this.sampled ? 1 : 1 / answer.probability)',
    wrong: '!this.sampled ? 1 : 1)',
    tests: [`${CORE}/pb-oel/theorem.test.ts`],
  },
  {
    name: 'the sign of the weights’ update is flipped',
    file: `${CORE}/pb-oel/pb-oel.ts`,
    right: 'this.weights.reward(data, advice, level, (this.schedule.gamma',
    wrong: 'this.weights.reward(data, advice, level, (-this.schedule.gamma',
    tests: [`${CORE}/pb-oel/theorem.test.ts`],
  },
  {
    name: 'a correction does not take the earlier reward back',
    file: `${CORE}/pb-oel/pb-oel.ts`,
    right: '        this.reward(answer.advice, data[notes + REWARDED], -data[notes + WEIGHT])\n',
    wrong: '',
    tests: PB_OEL,
  },
  {
    name: 'needless exploration of labelled rounds is not charged',
    file: `${CORE}/pb-oel/guarantee.ts`,
    right: '    this.needlessExploration += explored\n',
    wrong: '',
    tests: [`${CORE}/pb-oel/guarantee.test.ts`],
  },
  {
    name: 'closed batches cost no regret',
    file: `${CORE}/pb-oel/guarantee.ts`,
    right: '    this.closedRegret += this.batchPenalty(gamma)\n',
    wrong: '',
    tests: [`${CORE}/pb-oel/guarantee.test.ts`],
  },
  {
    name: 'late is counted one assessment too late',
    file: `${CORE}/experts/expert-ensemble.ts`,
    right: 'id !== pending.count - 1) this.late++',
    wrong: 'id < pending.count - 2) this.late++',
    tests: PB_OEL,
  },
  {
    name: 'an answer hits an overwritten slot',
    file: `${CORE}/pending.ts`,
    right: 'if (id < this.next - this.capacity) {',
    wrong: 'if (id < this.next - this.capacity - 1) {',
    tests: [`${CORE}/pending.test.ts`],
  },
  {
    name: 'κ with one marginal twice',
    file: `${CORE}/metrics/confusion.ts`,
    right: 'share(this.row(k), total) * share(this.column(k), total)',
    wrong: 'share(this.row(k), total) * share(this.row(k), total)',
    tests: [`${CORE}/metrics/metrics.test.ts`],
  },
  {
    name: 'ε-greedy never explores',
    file: `${CORE}/rivals/base/epsilon-greedy.ts`,
    right: 'result.level = u < epsilon ?',
    wrong: 'result.level = u < 0 ?',
    tests: [`${CORE}/rivals/base/epsilon-greedy.test.ts`],
  },
  {
    name: 'the background tree never takes over',
    file: `${CORE}/learners/forest/adaptive-trees.ts`,
    right: '    if (member.background !== undefined) {\n      member.patch = member.background',
    wrong: '    if (member.background !== undefined && member.made < 0) {\n      member.patch = member.background',
    tests: [`${CORE}/learners/forest/adaptive-trees.test.ts`],
  },
  {
    name: 'forests never replace a tree',
    file: `${CORE}/learners/forest/adaptive-trees.ts`,
    right: "if (member.drift.update(error) !== 'drift') return false",
    wrong: "if (member.drift.update(error) !== 'none') return false",
    tests: [`${CORE}/rivals/river.test.ts`],
  },
  {
    name: 'CPSSDS as in the paper takes a confirmed level for a label',
    file: `${CORE}/rivals/cpssds/cpssds.ts`,
    right: "this.compat === 'paper' && feedback.kind === 'confirm'",
    wrong: "this.compat === 'paper' && feedback.kind === 'reject'",
    tests: [`${CORE}/rivals/cpssds/cpssds.test.ts`],
  },
  {
    name: 'the asker does not hear the answers',
    file: `${CORE}/asking/asker.ts`,
    right: '    this.score.hear(feedback)\n',
    wrong: '',
    tests: [`${CORE}/asking/asker.test.ts`],
  },
  {
    name: 'CPSSDS keeps its classifier at drift',
    file: `${CORE}/rivals/cpssds/cpssds.ts`,
    right: '      this.classifier = this.fresh()\n      this.drifts[0] = 1',
    wrong: '      this.drifts[0] = 1',
    tests: [`${CORE}/rivals/cpssds/cpssds.test.ts`],
  },
  {
    name: 'ROALE-DI reinforces the wrong classifiers',
    file: `${CORE}/rivals/roale-di/dynamic-group.ts`,
    right: 'argmax(answer) === level ? 1 + 1 / size : 1 - 1 / size',
    wrong: 'argmax(answer) !== level ? 1 + 1 / size : 1 - 1 / size',
    tests: [`${CORE}/rivals/roale-di/roale-di.test.ts`],
  },
  {
    name: 'ROALE-DI reinforces common levels instead of rare ones',
    file: `${CORE}/rivals/roale-di/roale-di.ts`,
    right: 'if (this.shares[level] < 1 / this.levels)',
    wrong: 'if (this.shares[level] > 1 / this.levels)',
    tests: [`${CORE}/rivals/roale-di/roale-di.test.ts`],
  },
  {
    name: 'ROALE-DI reinforces where it judged rightly',
    file: `${CORE}/rivals/roale-di/roale-di.ts`,
    right: 'if (this.judge(x) !== level) this.reinforce(x, level)',
    wrong: 'if (this.judge(x) === level) this.reinforce(x, level)',
    tests: [`${CORE}/rivals/roale-di/roale-di.test.ts`],
  },
  {
    name: 'a rejection moves the other levels too',
    file: `${CORE}/rvfl/targets.ts`,
    right: 'penalty : confidences[i]',
    wrong: 'penalty : 1 / levels',
    tests: PB_OEL,
  },
  {
    name: 'the audit is told that every round is labelled',
    file: 'packages/lab/src/job/run.ts',
    right: "audit?.record(assessment.level === truth, truth, mode === 'full')",
    wrong: 'audit?.record(assessment.level === truth, truth, true)',
    tests: ['packages/lab/src/job/run.test.ts'],
  },
  {
    name: 'commits are not synced to the disk',
    file: `${SERVER}/log/sqlite-store.ts`,
    right: 'PRAGMA synchronous = FULL;',
    wrong: 'PRAGMA synchronous = OFF;',
    tests: [`${SERVER}/log/sqlite-log.test.ts`],
  },
  {
    name: 'an alarm is marked as sent before it is sent',
    file: `${SERVER}/alarms/outbox.ts`,
    right: '      await this.send(message, this.aborter.signal)\n',
    wrong:
      '      await log.moveCursor(this.cursor(system), sequence)\n      await this.send(message, this.aborter.signal)\n',
    tests: [`${SERVER}/alarms/outbox.test.ts`],
  },
  {
    name: 'time goes backwards with the clock',
    file: `${SERVER}/seat/seated-fold.ts`,
    right: 'return Math.max(this.fold.time, now)',
    wrong: 'return now',
    tests: [`${SERVER}/service/service.test.ts`],
  },
  {
    name: 'compaction removes the sample of an open question',
    file: `${SERVER}/service/live-system.ts`,
    right: 'Math.min(this.#snapshotAt, oldest - 1, (extent?.last ?? 0) - keep)',
    wrong: 'Math.min(this.#snapshotAt, (extent?.last ?? 0) - keep)',
    tests: [`${SERVER}/service/service.test.ts`],
  },
  {
    name: 'the probability of being asked is dropped',
    file: `${SERVER}/fold/system-fold.ts`,
    right: '      ...(recent.asked && { asked: recent.asked.probability }),\n',
    wrong: '',
    tests: [`${SERVER}/fold/fold.test.ts`],
  },
  {
    name: 'alarms watch the drawn level',
    file: `${SERVER}/fold/system-fold.ts`,
    right:
      "const level = rule.watch === 'safe-side' && safeSide !== undefined ? safeSide : mostProbable(probabilities)",
    wrong:
      "const level = rule.watch === 'safe-side' && safeSide !== undefined ? safeSide : (this.recent.latest?.level ?? 0)",
    tests: [`${SERVER}/fold/fold.test.ts`],
  },
  {
    name: 'alarms hold by the next sample, not by time',
    file: `${SERVER}/fold/system-fold.ts`,
    right: 'const level = this.trained ? levelDue(alarm, configuration.alarm) : null',
    wrong: 'const level = this.trained && alarm.since < 0 ? levelDue(alarm, configuration.alarm) : null',
    tests: [`${SERVER}/service/silence.test.ts`],
  },
  {
    name: 'stale data are never looked for',
    file: `${SERVER}/fold/system-fold.ts`,
    right: 'const silence = staleDue(stale, configuration.stale, heard)',
    wrong: 'const silence = staleDue(stale, undefined, heard)',
    tests: [`${SERVER}/service/silence.test.ts`],
  },
  {
    name: 'durations run on the wall clock',
    file: `${SERVER}/fold/system-fold.ts`,
    right: "const steady = this.steadyAt(event.kind === 'clock' ? event.body.until : time)",
    wrong: 'const steady = this.steadyAt(time)',
    tests: [`${SERVER}/service/clock.test.ts`],
  },
  {
    name: 'a jump of the clock is not recorded',
    file: `${SERVER}/service/service.ts`,
    right: '      for (const system of this.systems.values()) system.jumped(jump)\n',
    wrong: '      if (jump.by === 0) for (const system of this.systems.values()) system.jumped(jump)\n',
    tests: [`${SERVER}/service/clock.test.ts`],
  },
  {
    name: 'an excluded sample reaches the model',
    file: `${SERVER}/fold/system-fold.ts`,
    right: '    if (shown && isExcluded(this.excluded, shown.assessment)) return undefined\n',
    wrong: '',
    tests: [`${SERVER}/service/exclusion.test.ts`],
  },
  {
    name: 'a level that was confirmed and not drawn again is confirmed for another',
    file: `${SERVER}/fold/told-answer.ts`,
    right: "if (kind === 'confirm') return { ...rest, kind: 'label', level: shown }",
    wrong: "if (kind === 'confirm') return feedback",
    tests: [`${SERVER}/service/exclusion.test.ts`],
  },
  {
    name: 'a log is cut between an exclusion and its samples',
    file: `${SERVER}/service/live-system.ts`,
    right: 'const settled = base && (await cutBeforeExclusions(this.log, this.id, base.sequence))',
    wrong: 'const settled = base && (await cutBeforeExclusions(this.log, this.id, 0)) + base.sequence',
    tests: [`${SERVER}/service/exclusion.test.ts`],
  },
  {
    name: 'a system shows its old model while an exclusion is under way',
    file: `${SERVER}/service/live-system.ts`,
    right: '      const stored = this.append(entry)\n      this.#broken = new NotReady(',
    wrong: '      const stored = this.append(entry)\n      void new NotReady(',
    tests: [`${SERVER}/service/exclusion.test.ts`],
  },
]
