import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

interface Example {
  place: string
  code: string
}

/** The code under every `@example` of a source file. */
function examples(file: string): Example[] {
  const found: Example[] = []
  let lines: string[] | undefined
  readFileSync(join(ROOT, file), 'utf8')
    .split('\n')
    .forEach((line, i) => {
      const text = line.match(/^\s*\* ?(.*)$/)?.[1]
      if (text === '@example') {
        lines = []
        found.push({ place: `${file}:${i + 1}`, code: '' })
      } else if (text === undefined || text === '/' || text.startsWith('@')) lines = undefined
      else if (lines) {
        lines.push(text)
        found[found.length - 1].code = lines.join('\n')
      }
    })
  return found
}

/** `expression // 1.25` becomes a check that the expression is 1.25 to the digits written. */
function withChecks({ place, code }: Example): string {
  const body = code
    .replaceAll(/^import type .*$/gm, '')
    .replaceAll(
      /^import \{([^}]*)\} from '(.*)'$/gm,
      (_, names: string, from: string) => `const {${names.replaceAll(/\btype \w+,?/g, '')}} = await import('${from}')`,
    )
    .replaceAll(/^(?!const |let |for |\s)(.+?) \/\/ (-?\d[\d.]*|true|false)\b.*$/gm, `check($1, '$2', '${place}')`)
  return `{\n${body}\n}\n`
}

const HEAD = `
let checks = 0
function check(found: unknown, expected: string, place: string): void {
  checks++
  const digits = (expected.split('.')[1] ?? '').length
  const same = typeof found === 'number' ? Math.abs(found - Number(expected)) <= 0.51 * 10 ** -digits : String(found) === expected
  if (!same) throw new Error(place + ': ' + found + ' is not ' + expected)
}
`

it('every example in the documentation of the code runs and says the truth', () => {
  const all = globSync('packages/{core,lab,server}/src/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap(examples)
  expect(all.length).toBeGreaterThan(5)
  // Inside the repository, so that package names resolve as for any user.
  const folder = mkdtempSync(join(ROOT, 'test', '.examples-'))
  try {
    const file = join(folder, 'examples.ts')
    writeFileSync(file, `${HEAD}${all.map(withChecks).join('\n')}\nconsole.log(checks)\n`)
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', cwd: ROOT })
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(Number(stdout)).toBeGreaterThan(5)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
