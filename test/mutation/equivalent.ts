/** A mutant that no test can kill, because it computes the same. */
export interface Equivalent {
  readonly file: string
  /** The line of the source, without the spaces around it. */
  readonly line: string
  /** What stands there instead, as the report shows it. */
  readonly replacement: string
  readonly why: string
}

/** Mutants of one file that are equivalent for one reason: pairs of line and replacement. */
export function same(
  file: string,
  why: string,
  pairs: readonly (readonly [line: string, replacement: string])[],
): Equivalent[] {
  return pairs.map(([line, replacement]) => ({ file: `packages/core/src/${file}`, line, replacement, why }))
}

/** The same for a file of the server. */
export function inServer(...[file, why, pairs]: Parameters<typeof same>): Equivalent[] {
  return same(file, why, pairs).map((one) => ({ ...one, file: `packages/server/src/${file}` }))
}
