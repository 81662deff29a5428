import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const GROUPS = '/sys/fs/cgroup'
const PERIOD = 100_000

/** Holds a process to a share of one core by a control group, version 1 or 2. Linux, root. */
export class CpuShare {
  private readonly folder: string

  /** @param share of one core, above 0 */
  constructor(pid: number, share: number) {
    const old = join(GROUPS, 'cpu')
    const name = `pb-oel-${pid}`
    const quota = Math.round(share * PERIOD)
    this.folder = join(existsSync(old) ? old : GROUPS, name)
    mkdirSync(this.folder)
    if (existsSync(old)) {
      writeFileSync(join(this.folder, 'cpu.cfs_period_us'), String(PERIOD))
      writeFileSync(join(this.folder, 'cpu.cfs_quota_us'), String(quota))
    } else writeFileSync(join(this.folder, 'cpu.max'), `${quota} ${PERIOD}`)
    writeFileSync(join(this.folder, 'cgroup.procs'), String(pid))
  }

  /** Removes the group of a process that has ended. */
  remove(): void {
    rmdirSync(this.folder)
  }
}
