import { readFileSync } from 'node:fs'

/** Seconds of processor time that some processes have used; Linux. */
export function processorSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return sum + (Number(fields[11]) + Number(fields[12])) / 100
  }, 0)
}
