// The same lines in two places: code that should be written once.
import { readFileSync } from 'node:fs'
import { isGenerated, isKernel, isTest, repositoryFiles } from './files.ts'

const LIMIT = 6

interface Line {
  readonly text: string
  readonly number: number
}

interface Place {
  readonly file: string
  readonly at: number
}

/** The duplicates of the repository. Tests and the unrolled kernel may repeat themselves. */
export function duplicates(): string[] {
  const files = repositoryFiles('*.ts', '*.tsx', '*.mjs', '*.py', '*.css').filter(
    (file) => !isTest(file) && !isKernel(file) && !isGenerated(file),
  )
  return duplicatesIn(files.map((file) => [file, readFileSync(file, 'utf8')]))
}

/** One line for each pair of places in these files, given as name and text, that share six or more lines. */
export function duplicatesIn(files: readonly (readonly [string, string])[]): string[] {
  return sharedRuns(new Map(files.map(([file, text]) => [file, linesOfCode(text)])))
}

/** The lines that say something: without blank ones, comments, imports and lone punctuation. */
function linesOfCode(source: string): Line[] {
  const blank = (text: string) => text.replace(/[^\n]/g, ' ')
  const text = source
    .replace(/^\s*\/\*[\s\S]*?\*\//gm, blank)
    .replace(/^(import|export)\s[^'"=;]*?\sfrom\s+['"][^'"]*['"]/gm, blank)
  return text
    .split('\n')
    .map((line, i) => ({ text: line.trim(), number: i + 1 }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text) && !/^(\/\/|#|import\b|from\b)/.test(text))
}

function sharedRuns(files: ReadonlyMap<string, readonly Line[]>): string[] {
  const found: string[] = []
  const places = new Map<string, Place[]>()
  const reported = new Set<string>()
  for (const [file, lines] of files)
    for (let at = 0; at + LIMIT <= lines.length; at++) {
      const text = join(lines, at, LIMIT)
      const earlier = places.get(text) ?? []
      places.set(text, [...earlier, { file, at }])
      for (const first of earlier) {
        if (first.file === file && at - first.at < LIMIT) continue
        // A run longer than six was reported where it began.
        const key = (back: number) => `${first.file} ${first.at - back} ${file} ${at - back}`
        reported.add(key(0))
        if (reported.has(key(1))) continue
        const [one, two] = [files.get(first.file) as readonly Line[], lines]
        let length = LIMIT
        while (one[first.at + length] && one[first.at + length].text === two[at + length]?.text) length++
        found.push(
          `${first.file}:${one[first.at].number} and ${file}:${two[at].number} share ${length} lines: ${two[at].text}`,
        )
      }
    }
  return found
}

const join = (lines: readonly Line[], from: number, count: number): string =>
  lines
    .slice(from, from + count)
    .map(({ text }) => text)
    .join('\n')
