import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFile, thisMachine } from '../packages/lab/src/index.ts'

/**
 * Measures how fast a large CSV file is read, and in how much memory: node scripts/large-file.ts [gigabytes]. The file
 * is made first and deleted afterwards. One reading is the check of the whole file and the other the samples, so that
 * the file is read twice; speed is bytes per second of processor time and of the clock.
 */
const gigabytes = Number(process.argv[2] ?? 5)
const CHANNELS = 24
const folder = mkdtempSync(join(tmpdir(), 'pb-oel-large-'))
const path = join(folder, 'large.csv')

function write(): number {
  const file = openSync(path, 'w')
  const names = Array.from({ length: CHANNELS }, (_, i) => `c${i}`)
  let bytes = writeSync(file, `time,${names.join()},level\n`)
  for (let t = 0; bytes < gigabytes * 1e9; ) {
    let piece = ''
    for (let row = 0; row < 4096; row++, t++) {
      const values = names.map((_, i) => (((t * (2 * i + 3)) % 99_991) / 1000 - 50).toFixed(3))
      piece += `${1_700_000_000 + t},${values.join()},${['safe', 'degraded', 'unsafe'][t % 3]}\n`
    }
    bytes += writeSync(file, piece)
  }
  closeSync(file)
  return bytes
}

try {
  const bytes = write()
  const writing = process.cpuUsage()
  const start = performance.now()
  const stream = openFile(path, { time: 'time', levels: ['safe', 'degraded', 'unsafe'] })
  let samples = 0
  for (const _ of stream) samples++
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(writing)
  const processor = (user + system) / 1e6
  const rate = (time: number) => Math.round((2 * bytes) / 1e6 / time)
  const figures = {
    command: `node scripts/large-file.ts ${gigabytes}`,
    machine: thisMachine(),
    ...{ bytes, samples, readings: 2, seconds: Math.round(seconds), processorSeconds: Math.round(processor) },
    megabytesPerSecond: { processor: rate(processor), clock: rate(seconds) },
    peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1e3),
  }
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true })
}
