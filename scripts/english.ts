// Slips of English that a pattern can find, in docs, comments, messages and strings, and lines that are too long to
// read.
import { readFileSync } from 'node:fs'
import { repositoryFiles } from './files.ts'

const LONGEST = 120

const AMOUNTS =
  'µs|ms|kB|MB|GB|TB|KiB|MiB|bytes?|cores?|samples?|records?|steps?|requests?|lines?|values?|rows?|times|events?|' +
  'messages?|posts?|questions?|answers?|objects?|models?|states?|systems?|shards?|workers?'
const UNITS =
  'second|minute|hour|day|sample|round|run|system|worker|core|file|network|row|record|cluster|server|shard|model|' +
  'level|channel|seed|method|stream|line|connection'
const NOUNS =
  'answers|questions|samples|records|systems|labels|alarms|rounds|seeds|levels|channels|experts|networks|members|' +
  'reviewers|runs|jobs|workers|files|lines|rows|drifts|restarts|misses|minutes|hours|days'

const SLIPS: readonly { readonly pattern: RegExp; readonly right: string }[] = [
  { pattern: /\bcan not\b(?! only)/i, right: 'cannot' },
  { pattern: /\bfor ever\b/i, right: 'forever' },
  {
    pattern: new RegExp(
      `(?<!\\p{L})(?:${AMOUNTS}) an? (?:${UNITS})\\b(?!-| (?:of|is|was|has|can|may|must|needs|takes)\\b)`,
      'u',
    ),
    right: '"per", as in "µs per sample"',
  },
  { pattern: /\b(?:one|\d[\d,.]*) (?:entry|file|word|page|concept) an? [a-z]+\b/, right: '"per"' },
  { pattern: new RegExp(`(?<![\\d.,:=+−–-] ?)\\b1 (?:${NOUNS})\\b`), right: 'the singular after 1' },
  { pattern: /\b(the|an|of|to|and|in|is|for|with|from) \1\b/, right: 'the word once' },
  { pattern: /\b(?:informations|datas|evidences|softwares|advices)\b/i, right: 'the word without s' },
  { pattern: /\b(?:more|less|other|rather|better|later) then\b/i, right: '"than"' },
  { pattern: /\b(?:allows|permits) to [a-z]+\b/i, right: '"allows … to" with whom it allows, or "lets"' },
]

/** One line for each slip in the repository. */
export function slips(): string[] {
  return repositoryFiles('*.md', '*.ts', '*.tsx', '*.mjs', '*.sh', '*.py', '*.css')
    .filter((file) => !['scripts/english.ts', 'test/checks.test.ts'].includes(file) && !file.endsWith('.wasm.ts'))
    .flatMap((file) => slipsIn(file, readFileSync(file, 'utf8')))
}

/** One line for each slip in a text; the name of its file says whether it is prose or code. */
export function slipsIn(file: string, text: string): string[] {
  const found: string[] = []
  const prose = file.endsWith('.md')
  let fenced = false
  let generated = false
  let example = false
  text.split('\n').forEach((line, i) => {
    const place = `${file}:${i + 1}`
    if (prose && line.startsWith('```')) fenced = !fenced
    if (/<!-- \w+: (begin|end) -->/.test(line)) generated = line.includes('begin')
    if (/^\s*\* @|\*\/$/.test(line)) example = line.includes('@example')
    for (const { pattern, right } of SLIPS) {
      const slip = line.match(pattern)?.[0]
      if (slip) found.push(`${place}: "${slip}": write ${right}`)
    }
    const length = [...line].length
    if (length > LONGEST && !generated && (prose ? !fenced && mayWrap(line) : !example && isComment(line)))
      found.push(`${place}: ${length} characters; at most ${LONGEST}`)
  })
  return found
}

/** Tables, pictures and addresses cannot be broken into lines. */
const mayWrap = (line: string): boolean => !/^\s*(\||!?\[[^\]]*\]\([^)]*\)$|<)/.test(line) && !/\S{100,}/.test(line)

const isComment = (line: string): boolean => /^\s*(\/\/|\/?\*|#)/.test(line) && !/\S{100,}/.test(line)
