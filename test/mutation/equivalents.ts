/** A mutant that no test can kill, because it computes the same. */
export interface Equivalent {
  readonly file: string
  /** The line of the source, without the spaces around it. */
  readonly line: string
  /** What stands there instead, as the report shows it. */
  readonly replacement: string
  readonly why: string
}

/** Survivors that stay, each with its reason. `npm run mutate` names entries that match no survivor any more. */
export const EQUIVALENTS: readonly Equivalent[] = []
