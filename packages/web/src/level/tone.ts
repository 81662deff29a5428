/** The colour of a level, one of three: the safest has the first, the worst the last, all others the middle one. */
export function levelTone(level: number, levels: number): 0 | 1 | 2 {
  return level === 0 ? 0 : level === levels - 1 ? 2 : 1
}
