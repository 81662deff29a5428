// Paths that lead out of the repository. A clone must work alone, on any machine.
import { readFileSync } from 'node:fs'
import { dirname, normalize } from 'node:path/posix'
import { isKernel, repositoryFiles } from './files.ts'

/**
 * Folders of one machine or one person. Programs (`/usr`, `/bin`) and devices (`/dev`, `/proc`, `/sys`) are no data.
 */
const ABSOLUTE = /(?<![\w.\])}@-])\/(?:work|home|root|Users|mnt|media|srv|opt)\/[\w.-]+/

/** A climbing path in quotes or as an argument. */
const CLIMBING = /(?:\.\.\/)+[\w.@-][\w./@-]*|(?:\.\.\/)*\.\.(?=['"`])/g

/** One line for each path in a file of code, or absolute path in any text, that leads out of the repository. */
export function outsidePaths(): string[] {
  return repositoryFiles('*.ts', '*.tsx', '*.mjs', '*.js', '*.json', '*.py', '*.sh', '*.md', '*.html', '*.css')
    .filter((file) => !['package-lock.json', 'test/checks.test.ts'].includes(file) && !isKernel(file))
    .flatMap((file) => outsidePathsIn(file, readFileSync(file, 'utf8')))
}

/** The same for one text. */
export function outsidePathsIn(file: string, text: string): string[] {
  const found: string[] = []
  text.split('\n').forEach((line, i) => {
    const absolute = line.match(ABSOLUTE)?.[0]
    if (absolute) found.push(`${file}:${i + 1}: ${absolute}: a path of one machine`)
    for (const [path] of file.endsWith('.md') ? [] : line.matchAll(CLIMBING)) {
      const target = normalize(`${dirname(file)}/${path}`)
      if (target.startsWith('..')) found.push(`${file}:${i + 1}: ${path}: outside the repository`)
    }
  })
  return found
}
