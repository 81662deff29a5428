import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { importCommand } from '../packages/cli/src/commands/import.ts'
import { thisMachine } from '../packages/lab/src/index.ts'

/**
 * Measures how fast labelled rows are imported, and that a killed import goes on to the same state:
 * node scripts/large-import.ts [rows]. One import runs through. Another is killed with SIGKILL half-way and started
 * again. File and stores are deleted afterwards.
 */
const CHANNELS = 8
const LEVELS = ['safe', 'degraded', 'unsafe']

/** What an import told about itself. */
interface Told {
  processorSeconds: number
  peakMegabytes: number
}

if (process.send) await importHere(process.argv.slice(2))
else await measure(Number(process.argv[2] ?? 1_000_000))

/** The import itself, in a process of its own. */
async function importHere(words: string[]): Promise<void> {
  await importCommand().parseAsync(words, { from: 'user' })
  const { user, system } = process.cpuUsage()
  process.send?.({
    processorSeconds: Math.round((user + system) / 1e6),
    peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1e3),
  } satisfies Told)
  process.disconnect?.()
}

async function measure(rows: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-import-'))
  try {
    const load = loadavg()[0]
    const file = join(folder, 'history.csv')
    writeRows(file, rows)
    const words = (store: string) => [
      ...[file, '--system', 'pump', '--time', 'time', '--levels', LEVELS.join(), '--json'],
      ...['--store', join(folder, store)],
    ]
    const whole = await finished(start(words('whole.db')))
    const killed = start(words('killed.db'))
    await progressed(killed, rows / 2)
    killed.kill('SIGKILL')
    await once(killed, 'close')
    const resumed = await finished(start(words('killed.db')))
    const { seconds, stateHash, labels } = whole.report
    const figures = {
      command: `node scripts/large-import.ts ${rows}`,
      machine: { ...thisMachine(), loadBefore: load, loadAfter: loadavg()[0] },
      ...{ rows, labels, channels: CHANNELS, levels: LEVELS.length, seconds, ...whole.told },
      resumed: { at: resumed.report.resumedAt, seconds: resumed.report.seconds, ...resumed.told },
      sameState: resumed.report.stateHash === stateHash,
    }
    process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function writeRows(path: string, rows: number): void {
  const file = openSync(path, 'w')
  const names = Array.from({ length: CHANNELS }, (_, i) => `c${i}`)
  writeSync(file, `time,${names.join()},level\n`)
  for (let t = 0; t < rows; ) {
    let piece = ''
    for (const end = Math.min(rows, t + 4096); t < end; t++) {
      const level = Math.floor(t / 500) % LEVELS.length
      const values = names.map((_, i) => (((t * (2 * i + 3)) % 9_973) / 1000 + (i % 3) * level).toFixed(3))
      piece += `${1_700_000_000 + t},${values.join()},${LEVELS[level]}\n`
    }
    writeSync(file, piece)
  }
  closeSync(file)
}

function start(words: readonly string[]): ChildProcess {
  return fork(import.meta.filename, words, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
}

/** Resolves when the progress line says that so many rows are on disk. */
async function progressed(child: ChildProcess, rows: number): Promise<void> {
  for await (const text of child.stderr ?? []) {
    const [, done = '0'] = String(text).match(/ ([\d,]+)\/[\d,]+/) ?? []
    if (Number(done.replaceAll(',', '')) >= rows) return
  }
  throw new Error('the import ended before it could be killed')
}

async function finished(child: ChildProcess) {
  let stdout = ''
  let stderr = ''
  let told: Told | undefined
  child.stdout?.on('data', (text) => (stdout += text))
  child.stderr?.on('data', (text) => (stderr += text))
  child.on('message', (message) => (told = message as Told))
  await once(child, 'close')
  if (!told) throw new Error(`the import failed: ${stderr}`)
  return { report: JSON.parse(stdout), told }
}
