// Wraps what Biome leaves alone: prose and comments with a line of more than 120 characters. `npm run fix` runs it.
// A paragraph whose lines are all short enough stays as it is.
import { readFileSync, writeFileSync } from 'node:fs'
import { isKernel, repositoryFiles } from './files.ts'

const LONGEST = 120

/** Words that would mean something else at the beginning of a line of Markdown. */
const NOT_FIRST = /^([-+*>|=]+|#+|\d+[.)])$/

/** A text of Markdown with its long paragraphs and list items wrapped. Tables, fenced and generated text stay. */
export function wrappedProse(text: string): string {
  const result: string[] = []
  let paragraph: string[] = []
  let fenced = false
  let generated = false
  const flush = () => {
    result.push(...(paragraph.some(isLong) ? wrappedParagraph(paragraph) : paragraph))
    paragraph = []
  }
  for (const line of text.split('\n')) {
    const fence = line.trimStart().startsWith('```')
    if (fence) fenced = !fenced
    if (/<!-- \w+: (begin|end) -->/.test(line)) generated = line.includes('begin')
    const stays = fence || fenced || generated || line.trim() === '' || /^\s*(\||#|<|>|!\[)|( {2}|\\)$/.test(line)
    if (stays || /^\s*([-*+]|\d+[.)])\s/.test(line)) flush()
    if (stays) result.push(line)
    else paragraph.push(line)
  }
  flush()
  return result.join('\n')
}

function wrappedParagraph(lines: readonly string[]): string[] {
  const [, indent, mark = ''] = lines[0].match(/^(\s*)((?:[-*+]|\d+[.)])\s+)?/) as RegExpMatchArray
  const words = lines
    .map((line) => line.trim())
    .join(' ')
    .slice(mark.length)
  const hanging =
    mark === '' && lines.length > 1 ? (lines[1].match(/^\s*/)?.[0] ?? '') : indent + ' '.repeat(mark.length)
  return wrap(words, indent + mark, hanging)
}

/** Code with its long comments wrapped; a comment on one line becomes a block where it must. Examples stay. */
export function wrappedComments(text: string): string {
  const lines = text.split('\n')
  const result: string[] = []
  let example = false
  for (let i = 0; i < lines.length; i++) {
    if (/^\s*\* @|\*\/$/.test(lines[i])) example = lines[i].includes('@example')
    const single = lines[i].match(/^(\s*)(\/\*\*?) (.*) \*\/$/)
    const [start] = lines[i].match(/^\s*(?:\/\/|\*|#) (?=\S)/) ?? []
    if (!isLong(lines[i]) || example) result.push(lines[i])
    else if (single) {
      const [, indent, opening, words] = single
      result.push(`${indent}${opening}`, ...wrap(words, `${indent} * `, `${indent} * `), `${indent} */`)
    } else if (start !== undefined) {
      let end = i + 1
      while (end < lines.length && continues(lines[end], start)) end++
      const words = lines.slice(i, end).map((line) => line.slice(start.length))
      const mark = words[0].match(/^(?:- |\d+\. )/)?.[0] ?? ''
      result.push(...wrap(words.join(' '), start, start + ' '.repeat(mark.length)))
      i = end - 1
    } else result.push(lines[i])
  }
  return result.join('\n')
}

/** Whether a line goes on with the sentence of the comment before it. */
const continues = (line: string, start: string): boolean =>
  line.startsWith(start) && /^[^\s@|\-*\d`#]/.test(line.slice(start.length)) && !line.endsWith('*/')

const isLong = (line: string): boolean => [...line].length > LONGEST

/** Words in lines of at most 120 characters. Code between backticks stays on one line. */
function wrap(text: string, first: string, rest: string): string[] {
  const lines: string[][] = [[]]
  for (const word of text.match(/(?:`[^`]*`|[^\s`])+|`/g) ?? []) {
    const line = lines[lines.length - 1]
    const start = lines.length === 1 ? first : rest
    if (line.length === 0 || !isLong(start + [...line, word].join(' '))) line.push(word)
    else if (NOT_FIRST.test(word) && line.length > 1) lines.push([line.pop() as string, word])
    else lines.push([word])
  }
  return lines.map((line, i) => (i === 0 ? first : rest) + line.join(' '))
}

function rewrite(files: readonly string[], wrapped: (text: string) => string): void {
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    const better = wrapped(text)
    if (better !== text) writeFileSync(file, better)
  }
}

if (import.meta.main) {
  rewrite(repositoryFiles('*.md'), wrappedProse)
  rewrite(
    repositoryFiles('*.ts', '*.tsx', '*.mjs', '*.css', '*.py', '*.sh').filter((file) => !isKernel(file)),
    wrappedComments,
  )
}
