// What is wrong with the packages as they would be published: manifest and files (publint), types for each way of
// importing (Are the types wrong?), maps that lead to their sources, what a README and a manifest must have, and sizes.
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { packAll } from './pack.ts'
import { oversized } from './sizes.ts'

/** One line for each thing that is wrong; none when all packages are fit to be published. */
export async function packageProblems(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-check-'))
  try {
    const problems: string[] = []
    for (const [name, tarball] of Object.entries(packAll(folder))) {
      const unpacked = join(folder, 'node_modules', name)
      unpack(tarball, unpacked)
      // The command has nothing to import.
      const types = 'exports' in manifestOf(unpacked) ? await wrongTypes(tarball) : []
      const found = [...publint(tarball), ...types, ...contentProblems(unpacked)]
      problems.push(...found.map((problem) => `${name}: ${problem}`))
    }
    return [...problems, ...(await oversized(folder))]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function unpack(tarball: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['xzf', tarball, '-C', folder, '--strip-components=1'])
}

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

function publint(tarball: string): string[] {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/publint/src/cli.js', 'run', tarball, '--strict'],
    { encoding: 'utf8' },
  )
  return status === 0 ? [] : [`publint: ${stdout}${stderr}`]
}

/** Packages are ESM only, so only how ESM code and bundlers resolve them counts. */
const RESOLUTIONS = ['node16-esm', 'bundler']

async function wrongTypes(tarball: string): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
  if (!('problems' in result)) return []
  return result.problems
    .filter((problem) => !('resolutionKind' in problem) || RESOLUTIONS.includes(problem.resolutionKind))
    .map((problem) => `types: ${JSON.stringify(problem)}`)
}

/** What a manifest must say so that people find the package and its sources. */
const FIELDS = ['description', 'keywords', 'homepage', 'bugs', 'repository', 'license', 'engines']

/** How TypeScript writes a typed array whose type it has inferred. */
const GENERIC_ARRAY = /Array<ArrayBufferLike>/

/** What is missing in the folder of an unpacked package. */
export function contentProblems(folder: string): string[] {
  const files = globSync('**/*', { cwd: folder })
  const manifest = manifestOf(folder)
  return [
    ...['README.md', 'LICENSE'].filter((file) => !files.includes(file)).map((file) => `has no ${file}`),
    ...FIELDS.filter((field) => !(field in manifest)).map((field) => `package.json has no ${field}`),
    ...files
      .filter((file) => file.endsWith('.d.ts') && GENERIC_ARRAY.test(readFileSync(join(folder, file), 'utf8')))
      .map((file) => `${file} has types that TypeScript before 5.7 does not know: name the type Float64Array itself`),
    ...files
      .filter((file) => file.endsWith('.js.map'))
      .filter((file) => !resolves(join(folder, file)))
      .map((file) => `${file} does not lead to its sources`),
  ]
}

/** Whether every source of a map is in the map itself or beside it. */
function resolves(map: string): boolean {
  const { sources, sourcesContent = [] } = JSON.parse(readFileSync(map, 'utf8'))
  return sources.every(
    (source: string, i: number) => sourcesContent[i] != null || globSync(join(dirname(map), source)).length > 0,
  )
}
