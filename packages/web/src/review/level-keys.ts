/** Letters that do something else in the review. */
const TAKEN = 'ynsucq'
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'].filter((letter) => !TAKEN.includes(letter))

/**
 * The key of each level. Levels that are numbered have the key of their number, so that "1" never means level 2.
 * Others count from 1; the tenth is 0, and letters follow.
 */
export function levelKeys(names: readonly string[]): string[] {
  const numbers = names.map((name) => /^\D*(\d)\b/.exec(name)?.[1] ?? '')
  if (numbers.every((number) => number !== '') && new Set(numbers).size === names.length) return numbers
  return names.map((_, i) => (i < 9 ? String(i + 1) : i === 9 ? '0' : (LETTERS[i - 10] ?? '')))
}
