// Copies of the sources into which errors are put.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** A change of one place of the sources. */
export interface Edit {
  readonly file: string
  /** Text that stands in the file exactly once. */
  readonly right: string
  readonly wrong: string
}

/** A copy of the sources that shares the installed packages. */
export function copySources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-planted-'))
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  for (const file of list.trim().split('\n')) if (existsSync(file)) cpSync(file, join(folder, file))
  const modules = ['.', 'bench', 'site', 'packages/web', 'packages/lab'].map((at) => join(at, 'node_modules'))
  for (const one of modules) if (existsSync(one)) symlinkSync(resolve(one), join(folder, one))
  return folder
}

/** Puts an error into a copy; returns how to take it out again, or what is wrong with the edits. */
export function plant(folder: string, edits: readonly Edit[]): (() => void) | string {
  const before = new Map<string, string>()
  const restore = () => {
    for (const [file, text] of before) writeFileSync(join(folder, file), text)
  }
  for (const { file, right, wrong } of edits) {
    const text = readFileSync(join(folder, file), 'utf8')
    const parts = text.split(right)
    if (parts.length !== 2) {
      restore()
      return `${file} holds the text to replace ${parts.length - 1} times; it must hold it once`
    }
    if (!before.has(file)) before.set(file, text)
    writeFileSync(join(folder, file), parts.join(wrong))
  }
  return restore
}
