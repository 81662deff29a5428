import type { MethodChoice, Settings } from '../settings/settings.ts'
import { answersOf, fileName, methodsOf } from './settings-of.ts'

/** The commands that give the same figures in a shell, one for each method. */
export function asCommand(settings: Settings): string {
  return methodsOf(settings)
    .map((method) => command(settings, method))
    .join('\n')
}

function command(settings: Settings, { name, options }: MethodChoice): string {
  const { file, stream, seed, reviewer } = settings
  const words = ['npx pb-oel run', quoted(file ? fileName(settings) : stream), '--method', quoted(name)]
  if (file) {
    words.push('--label', quoted(file.level))
    if (file.missing !== 'error') words.push('--missing', file.missing)
  }
  words.push('--rho', String(reviewer.rho), '--seed', String(seed))
  for (const [option, value] of Object.entries(options)) words.push('--set', quoted(`${option}=${written(value)}`))
  for (const [habit, value] of Object.entries(answersOf(settings))) {
    words.push('--answers', quoted(`${habit}=${written(value)}`))
  }
  return words.join(' ')
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A word as a shell takes it. */
const quoted = (word: string): string => (/^[\w.,:=/+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
