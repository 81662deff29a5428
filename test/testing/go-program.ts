import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const BUILT = resolve(import.meta.dirname, '../../.cache/bin')

/** Whether programs can be built from their sources here. */
export const CAN_BUILD_GO = spawnSync('go', ['version']).status === 0

/** Runs a program, and throws what it said when it fails. */
function run(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): string {
  const options = { cwd, env: { ...process.env, ...env }, encoding: 'utf8', maxBuffer: 1 << 26 } as const
  const { status, stdout, stderr } = spawnSync(program, args, options)
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** Does something in a folder that is removed then. */
function inFolder(work: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-go-'))
  try {
    work(folder)
  } finally {
    run('chmod', ['-R', 'u+w', folder], tmpdir())
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Telegraf with two plugins only, built from its sources: all of them take an hour on a small machine. */
export function buildTelegraf(version: string): string {
  const program = join(BUILT, `telegraf-${version}`)
  if (existsSync(program)) return program
  mkdirSync(BUILT, { recursive: true })
  inFolder((folder) => {
    const module = `github.com/influxdata/telegraf@v${version}`
    const { Dir } = JSON.parse(run('go', ['mod', 'download', '-json', module], folder))
    const source = join(folder, 'source')
    cpSync(Dir, source, { recursive: true })
    run('chmod', ['-R', 'u+w', source], folder)
    const tags = 'custom,inputs.mock,outputs.influxdb_v2,serializers.influx'
    run('go', ['build', '-tags', tags, '-o', program, './cmd/telegraf'], source)
  })
  return program
}

/** The collector of OpenTelemetry with one receiver and one exporter, put together by its own builder. */
export function buildCollector(version: string): string {
  const program = join(BUILT, `otelcol-${version}`)
  if (existsSync(program)) return program
  mkdirSync(BUILT, { recursive: true })
  inFolder((folder) => {
    const part = (kind: string) => [{ gomod: `go.opentelemetry.io/collector/${kind} v${version}` }]
    const output = join(folder, 'out')
    const manifest = {
      dist: { name: 'otelcol', output_path: output, version },
      receivers: part('receiver/otlpreceiver'),
      exporters: part('exporter/debugexporter'),
    }
    const file = join(folder, 'manifest.yaml')
    // JSON is YAML.
    run('sh', ['-c', 'printf %s "$1" > "$2"', 'sh', JSON.stringify(manifest), file], folder)
    run('go', ['install', `go.opentelemetry.io/collector/cmd/builder@v${version}`], folder, { GOBIN: folder })
    run(join(folder, 'builder'), ['--config', file], folder)
    cpSync(join(output, 'otelcol'), program)
  })
  return program
}
