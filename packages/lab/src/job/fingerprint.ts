import { createHash } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { moduleHash } from '../modules/module-hash.ts'
import { isModule, mapTexts } from '../modules/module-name.ts'
import { DATA_SETS, dataSetPath } from '../streams/data-sets.ts'
import { hashFiles } from '../streams/hash-files.ts'
import { spooledInput } from '../streams/spool.ts'
import { splitAddress } from '../streams/stream-address.ts'
import type { Job } from './job.ts'

/**
 * What names a result: the job, with files and modules by their content instead of their path. Two jobs with the same
 * key have the same result under the same {@link codeVersion}.
 */
export function jobKey({ stream, method, options, rho, seed, people }: Job): string {
  const { address, ...opening } = stream
  const what = {
    stream: address.split('+').map(streamContent),
    opening,
    method: moduleContent(method),
    options: mapTexts(options ?? {}, moduleContent),
    rho,
    seed,
    ...(people && { people }),
  }
  return createHash('sha256').update(canonical(what)).digest('hex').slice(0, 32)
}

const contents = new Map<string, string>()

/** The hash of a module, anything else as it is. */
function moduleContent(name: string): string {
  return isModule(name) ? once(name, () => `sha256:${moduleHash(name)}`) : name
}

/** The address of a stream with the hash of its file or module, anything else as it is. */
function streamContent(address: string): string {
  const { name, settings } = splitAddress(address)
  if (isModule(name)) return `${moduleContent(name)}:${settings}`
  return once(address, () => {
    const set = DATA_SETS.find(({ name }) => name === address)
    const path = set ? dataSetPath(set) : address === '-' ? spooledInput() : address
    return existsSync(path) ? `sha256:${hashFiles([path])}` : address
  })
}

function once(name: string, read: () => string): string {
  const content = contents.get(name) ?? read()
  contents.set(name, content)
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

/** Hash of every file a result depends on. */
export function codeVersion(): string {
  return hashFiles(codeFiles()).slice(0, 16)
}

/** Every file a result depends on: the core, and how the lab runs it. */
export function codeFiles(): string[] {
  const core = dirname(createRequire(import.meta.url).resolve('@pb-oel/core'))
  const lab = join(import.meta.dirname, '..')
  return [core, join(lab, 'streams'), join(lab, 'job')]
    .flatMap((folder) => globSync('**/*.{ts,js}', { cwd: folder }).map((file) => join(folder, file)))
    .filter((file) => !/\.test\.ts$|\.d\.ts$|[\\/]testing[\\/]/.test(file))
    .sort()
}
