import { DataError } from '../errors.ts'

/** A cell and where it stood, for messages. */
const COMMA = 44
const QUOTE = 34
const NEWLINE = 10
const RETURN = 13

/**
 * Splits CSV text into rows (RFC 4180: quoted fields may hold delimiters, line breaks and doubled quotes). Lines may
 * end in LF or CRLF, empty lines are skipped, and the delimiter is the one of `,` `;` and tab that the first line has
 * most of.
 *
 * @param source name for messages
 * @param onRow gets the fields, which it may keep, and the number of the line the row began on, counted from 1
 */
export function parseCsv(text: string, source: string, onRow: (fields: string[], line: number) => void): void {
  const delimiter = guessDelimiter(text)
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  let line = 1
  while (at < text.length) {
    const fields: string[] = []
    const startLine = line
    let ended = false
    while (!ended) {
      if (text.charCodeAt(at) === QUOTE) {
        const [value, next, lines] = quoted(text, at, source, line)
        fields.push(value)
        at = next
        line += lines
        const after = text.charCodeAt(at)
        if (at < text.length && after !== delimiter && after !== NEWLINE && after !== RETURN) {
          throw new DataError(source, `line ${line}: text after the closing quote of field ${fields.length}`)
        }
      } else {
        const start = at
        while (at < text.length && text.charCodeAt(at) !== delimiter && text.charCodeAt(at) !== NEWLINE) at++
        const end = text.charCodeAt(at - 1) === RETURN && text.charCodeAt(at) !== delimiter ? at - 1 : at
        fields.push(text.slice(start, Math.max(start, end)))
      }
      if (text.charCodeAt(at) === RETURN) at++
      if (at < text.length && text.charCodeAt(at) === delimiter) at++
      else {
        at++
        line++
        ended = true
      }
    }
    if (fields.length > 1 || fields[0].trim() !== '') onRow(fields, startLine)
  }
}

/** The quoted field that begins at `at`: its value, where it ends, and how many line breaks it holds. */
function quoted(text: string, at: number, source: string, line: number): [value: string, next: number, lines: number] {
  let value = ''
  let start = at + 1
  for (;;) {
    const end = text.indexOf('"', start)
    if (end < 0) throw new DataError(source, `line ${line}: a quoted field is never closed`)
    value += text.slice(start, end)
    if (text.charCodeAt(end + 1) !== QUOTE) return [value, end + 1, value.split('\n').length - 1]
    value += '"'
    start = end + 2
  }
}

function guessDelimiter(text: string): number {
  const end = text.indexOf('\n')
  const first = end < 0 ? text : text.slice(0, end)
  let best = COMMA
  for (const candidate of [COMMA, 59, 9]) {
    const count = (code: number) => first.split(String.fromCharCode(code)).length
    if (count(candidate) > count(best)) best = candidate
  }
  return best
}
