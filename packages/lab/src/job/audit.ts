import { type Assessor, type Guarantee, GuaranteeMonitor, PbOel, PbOelPlus, RegretMonitor } from '@pb-oel/core'

/** Follows a guarantee from outside, with every true level known, as only a simulation can. */
export interface Audit {
  /**
   * Call after each `assess`, before its `learn`.
   *
   * @param right whether the assessed level is the true one
   * @param truth the true level
   * @param full whether the label will be given
   */
  record(right: boolean, truth: number, full: boolean): void
  /** What was promised and what has been reached since the audit began. */
  report(): Guarantee
}

/** Starts to audit an assessor, to be called before its first answer; undefined when it promises nothing. */
export function auditOf(assessor: Assessor): Audit | undefined {
  if (assessor instanceof PbOel) return auditBatches(assessor)
  if (assessor instanceof PbOelPlus) return auditRegret(assessor)
  return undefined
}

/** PB-OEL's guarantee counts batch by batch: a restart ends one. */
function auditBatches(assessor: PbOel): Audit {
  const monitor = new GuaranteeMonitor(assessor.advice.length / assessor.levels, assessor.levels)
  let batch = assessor.restarts
  let gamma = assessor.gamma
  return {
    record(right, truth, full) {
      if (assessor.restarts !== batch) monitor.endBatch(gamma)
      batch = assessor.restarts
      gamma = assessor.gamma
      monitor.countExplored(right, full, assessor.explored)
      monitor.reward(assessor.advice, 0, truth, 1)
    },
    report: () => assessor.guaranteeOf(monitor, gamma),
  }
}

/** PB-OEL+ charges what its weights have paid so far. */
function auditRegret(assessor: PbOelPlus): Audit {
  const monitor = new RegretMonitor(assessor.advice.length / assessor.levels, assessor.levels)
  const start = assessor.bias
  return {
    record(right, truth, full) {
      monitor.count(right, full)
      monitor.reward(assessor.advice, 0, truth, 1)
    },
    report() {
      monitor.bias = assessor.bias - start
      return assessor.guaranteeOf(monitor)
    },
  }
}
