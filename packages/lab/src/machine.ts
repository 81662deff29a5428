import { arch, cpus, release, totalmem, type } from 'node:os'

/** Where and when a result was made. */
export interface Machine {
  readonly date: string
  readonly processor: string
  readonly cores: number
  readonly memoryGiB: number
  readonly system: string
  readonly node: string
}

/** This machine, now. */
export function thisMachine(): Machine {
  const [{ model }] = cpus()
  return {
    date: new Date().toISOString(),
    processor: model,
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()} ${arch()}`,
    node: process.version,
  }
}
