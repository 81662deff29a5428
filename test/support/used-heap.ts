import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Bytes that are in use. Garbage, whose amount is a matter of chance, is collected first. */
export function usedHeap(): number {
  collect()
  return process.memoryUsage().heapUsed
}
