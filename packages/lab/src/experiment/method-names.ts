import { METHODS, type Method } from '@pb-oel/core'

function entryOf(label: string): Method | undefined {
  const name = label.split(' ')[0]
  return METHODS.find((method) => method.name === name)
}

/** How a method, or a method with options behind it, is called in tables and figures. */
export function methodTitle(label: string): string {
  const [name, ...options] = label.split(' ')
  return [entryOf(label)?.title ?? name, ...options].join(' ')
}

/** Whether a method is a trivial baseline: shown for scale, not ranked. */
export function isBaseline(label: string): boolean {
  return entryOf(label)?.role === 'baseline'
}
