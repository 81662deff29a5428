// The files of the repository as git sees them: tracked, or new and not ignored.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Paths from the root of all files whose names match one of the patterns, such as `*.md`, in any folder. */
export function repositoryFiles(...patterns: string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], { encoding: 'utf8' })
  return [...new Set(listed.split('\n'))].filter((file) => file !== '' && existsSync(file)).sort()
}

/** Whether a file holds tests or what only tests use. */
export const isTest = (file: string): boolean => /\.test\.tsx?$|(^|\/)testing\/|^test\//.test(file)

/**
 * The kernel is written for the compiler of WebAssembly, its loops unrolled by hand; its compiled bytes are text too.
 */
export const isKernel = (file: string): boolean => /\/(core\/kernel|kernel\/assembly)\/|\.wasm\.ts$/.test(file)

/** Shapes and operations of the Python client, which python/scripts/generate.py writes. */
export const isGenerated = (file: string): boolean => /^python\/src\/pb_oel\/(types|operations)\.py$/.test(file)
