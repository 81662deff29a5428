/**
 * Whether a name stands for a module: a path that ends in .ts, .mts, .js or .mjs, or a package with a scope, such as
 * `@acme/parrot`.
 */
export function isModule(name: string): boolean {
  return /\.m?[tj]s$/i.test(name) || /^@[^/\s]+\/[^\s:]+$/.test(name)
}

/** A module as it is called in reports: a file by its name without extension, a package or any other name as it is. */
export function moduleTitle(name: string): string {
  return !isModule(name) || name.startsWith('@') ? name : (name.split(/[\\/]/).at(-1) as string).replace(/\.\w+$/, '')
}

/** Calls `change` on every text within a JSON value, however deep, and returns the changed value. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((part) => mapTexts(part, change))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapTexts(part, change)]))
}

/** The modules that a JSON value names, however deep: detectors, learners and others within options. */
export function modulesWithin(value: unknown): string[] {
  const found: string[] = []
  mapTexts(value, (text) => {
    if (isModule(text)) found.push(text)
    return text
  })
  return found
}
