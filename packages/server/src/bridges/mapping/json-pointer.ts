/** A JSON pointer (RFC 6901), taken apart: the names on the way. */
export function pointerParts(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** What the parts of a pointer lead to; `undefined` where they lead nowhere. */
export function follow(value: unknown, parts: readonly string[]): unknown {
  let found = value
  for (const part of parts) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, part)) return undefined
    found = (found as Record<string, unknown>)[part]
  }
  return found
}
