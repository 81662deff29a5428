import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { isModule } from '../modules/module-name.ts'
import { DATA_SETS, dataSetPath } from '../streams/data-sets.ts'
import type { Job } from './job.ts'

/**
 * What names a result: the job, with files by their content instead of their path. Two jobs with the same key have the
 * same result under the same {@link codeVersion}.
 */
export function jobKey({ stream, method, options, rho, seed, people }: Job): string {
  const { address, ...opening } = stream
  const what = {
    stream: address.split('+').map(contentOf),
    opening,
    method: isModule(method) ? contentOf(method) : method,
    options: options ?? {},
    rho,
    seed,
    ...(people && { people }),
  }
  return createHash('sha256').update(canonical(what)).digest('hex').slice(0, 32)
}

const contents = new Map<string, string>()

/** The hash of a file, anything else as it is. */
function contentOf(address: string): string {
  const known = contents.get(address)
  if (known !== undefined) return known
  const set = DATA_SETS.find(({ name }) => name === address)
  const path = set ? dataSetPath(set) : address
  const content = existsSync(path) ? `sha256:${hash([path])}` : address
  contents.set(address, content)
  return content
}

/** JSON with the keys of every object in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

/** Hash of every file a result depends on: the core, and how the lab runs it. */
export function codeVersion(): string {
  const core = dirname(createRequire(import.meta.url).resolve('@pb-oel/core'))
  const lab = join(import.meta.dirname, '..')
  const files = [core, join(lab, 'streams'), join(lab, 'job')]
    .flatMap((folder) => globSync('**/*.{ts,js}', { cwd: folder }).map((file) => join(folder, file)))
    .filter((file) => !/\.test\.ts$|\.d\.ts$|[\\/]testing[\\/]/.test(file))
  return hash(files.sort()).slice(0, 16)
}

function hash(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex')
}
