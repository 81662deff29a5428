import { DETECTORS } from './drift/detectors.ts'
import { ExtensionError } from './errors.ts'
import { LEARNERS } from './learners/learners.ts'
import type { Extensions } from './method.ts'
import { METHODS } from './methods.ts'
import { GENERATORS } from './streams/generators.ts'

/** The kinds of extension: where each is kept, what its entry must have, and the names that are taken. */
const KINDS = {
  method: { place: 'methods', functions: ['create', 'restore'], taken: METHODS },
  detector: { place: 'detectors', functions: ['create'], taken: DETECTORS },
  learner: { place: 'learners', functions: ['create'], taken: LEARNERS },
  stream: { place: 'streams', functions: ['create'], taken: GENERATORS },
} as const

type Kind = keyof typeof KINDS

/** An entry that was looked at: its kind, its name, and whatever else it has. */
interface Entry {
  readonly type: Kind
  readonly name: string
}

/**
 * Finds the methods, detectors, learners and streams among modules that were imported: each module exports one as its
 * default, made by `defineMethod`, `defineDetector`, `defineLearner` or `defineStream`. Core imports nothing itself.
 *
 * @param modules what `import(path)` gave, by path; the path is the name that stands for the extension in options
 *
 * @example
 * import { defineDetector, extensionsOf } from '@pb-oel/core'
 * import { Ddm } from '@pb-oel/core/drift'
 * const about = { name: 'mine', title: 'mine', summary: 'a stricter DDM', options: {} }
 * const mine = defineDetector({ ...about, create: () => new Ddm({ drift: 4 }) })
 * Object.keys(extensionsOf({ './mine.ts': { default: mine } }).detectors ?? {}).length // 1
 */
export function extensionsOf(modules: Readonly<Record<string, unknown>>): Extensions {
  const found: { -readonly [K in keyof Extensions]: Record<string, unknown> } = {}
  const names = new Map<string, unknown>()
  for (const [path, module] of Object.entries(modules)) {
    const exported = (module as { default?: unknown } | null | undefined)?.default
    const entry = checked(path, exported)
    const { place, taken } = KINDS[entry.type]
    const other = taken.find(({ name }) => name === entry.name) ?? names.get(`${entry.type} ${entry.name}`) ?? entry
    if (other !== entry) throw new ExtensionError(path, `there is another ${entry.type} with the name ${entry.name}`)
    names.set(`${entry.type} ${entry.name}`, entry)
    found[place] ??= {}
    found[place][path] = entry
  }
  return found as Extensions
}

/** The default export of a module as an entry; throws an {@link ExtensionError} that says what it lacks. */
function checked(path: string, exported: unknown): Entry {
  if (typeof exported !== 'object' || exported === null) {
    throw new ExtensionError(path, 'has no entry of a method, detector, learner or stream as its default export')
  }
  const entry = exported as Entry & Record<string, unknown>
  const { type, name, options } = entry
  if (!Object.hasOwn(KINDS, type)) {
    const define = 'defineMethod, defineDetector, defineLearner or defineStream'
    throw new ExtensionError(path, `its default export has the type ${String(type)}; make it with ${define}`)
  }
  const missing = KINDS[type].functions.find((name) => typeof entry[name] !== 'function')
  if (missing) throw new ExtensionError(path, `the ${type} has no function ${missing}`)
  if (typeof name !== 'string' || name === '') throw new ExtensionError(path, `the ${type} has no name`)
  if (typeof options !== 'object' || options === null) throw new ExtensionError(path, `the ${type} has no option table`)
  return entry
}
