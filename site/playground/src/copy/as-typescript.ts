import type { MethodChoice, Settings } from '../settings/settings.ts'
import { answersOf, fileName, methodsOf } from './settings-of.ts'

/** A program that gives the same figures: `node run.ts` beside `npm install @pb-oel/lab`. */
export function asTypeScript(settings: Settings): string {
  const { file, stream } = settings
  const address = file ? `./${fileName(settings)}` : stream
  const reading = file ? `, ${code({ label: file.level, missing: file.missing })}` : ''
  const runs = methodsOf(settings).map((method, i) => run(settings, method, i === 0 ? 'first' : 'second'))
  return `import { openStream, runOnce } from '@pb-oel/lab'

const stream = openStream(${text(address)}${reading})
${runs.join('\n')}
`
}

function run(settings: Settings, { name, options }: MethodChoice, variable: string): string {
  const { seed, reviewer } = settings
  const answers = answersOf(settings)
  const job = {
    method: name,
    rho: reviewer.rho,
    seed,
    ...(Object.keys(options).length > 0 && { options }),
    ...(Object.keys(answers).length > 0 && { people: { answers } }),
  }
  return `const ${variable} = await runOnce(stream, ${code(job)})
console.log(${text(name)}, ${variable}.accuracy, ${variable}.bound)`
}

/** A value as TypeScript: names of fields without quotes, text in single ones. */
function code(value: unknown): string {
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return `[${value.map(code).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).map(
    ([name, field]) => `${/^\w+$/.test(name) ? name : text(name)}: ${code(field)}`,
  )
  return `{ ${fields.join(', ')} }`
}

const text = (value: string): string =>
  `'${JSON.stringify(value).slice(1, -1).replaceAll("'", "\\'").replaceAll('\\"', '"')}'`
