import { fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFile, thisMachine } from '../packages/lab/src/index.ts'

/**
 * Measures how fast a large CSV file is read, and in how much memory: node scripts/large-file.ts [gigabytes] [digits].
 * The digits are those of each value. The file is made first and deleted afterwards. A process of its own reads it
 * twice: once to check the whole file, once for the samples. Speed is bytes per second of processor time and of the
 * clock. The values repeat every 4,096 rows.
 */
const CHANNELS = 24
const BLOCK = 4_096
const LEVELS = ['safe', 'degraded', 'unsafe']
const FIRST = 1_700_000_000

if (process.send) readHere(process.argv[2])
else await measure(Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 5))

async function measure(gigabytes: number, digits: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-large-'))
  try {
    const path = join(folder, 'large.csv')
    const load = loadavg()[0]
    const bytes = write(path, gigabytes * 1e9, digits)
    const child = fork(import.meta.filename, [path])
    const [{ samples, seconds, processor, peak }] = await once(child, 'message')
    const rate = (time: number) => Math.round((2 * bytes) / 1e6 / time)
    const figures = {
      command: `node scripts/large-file.ts ${gigabytes} ${digits}`,
      machine: { ...thisMachine(), loadBefore: load, loadAfter: loadavg()[0] },
      ...{ bytes, samples, channels: CHANNELS, digits, readings: 2 },
      ...{ seconds: Math.round(seconds), processorSeconds: Math.round(processor) },
      megabytesPerSecond: { processor: rate(processor), clock: rate(seconds) },
      peakMegabytes: Math.round(peak / 1e3),
    }
    process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Writes the same rows again and again, each with the next time. */
function write(path: string, size: number, digits: number): number {
  const file = openSync(path, 'w')
  const names = Array.from({ length: CHANNELS }, (_, i) => `c${i}`)
  const rows = Array.from({ length: BLOCK }, (_, t) => {
    const values = names.map((_, i) => (((t * (2 * i + 3)) % 99_991) / 1000 - 50.5).toPrecision(digits))
    return `${FIRST + t},${values.join()},${LEVELS[t % LEVELS.length]}\n`
  })
  const block = Buffer.from(rows.join(''))
  let bytes = writeSync(file, `time,${names.join()},level\n`)
  for (let t = FIRST; bytes < size; t += BLOCK) {
    let at = 0
    for (const [i, row] of rows.entries()) {
      block.write(String(t + i), at)
      at += row.length
    }
    bytes += writeSync(file, block)
  }
  closeSync(file)
  return bytes
}

/** Reads a file and tells the process that started this one what it took. */
function readHere(path: string): void {
  const begun = process.cpuUsage()
  const start = performance.now()
  let samples = 0
  for (const _ of openFile(path, { time: 'time', levels: LEVELS })) samples++
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(begun)
  const peak = process.resourceUsage().maxRSS
  process.send?.({ samples, seconds, processor: (user + system) / 1e6, peak })
  process.disconnect?.()
}
