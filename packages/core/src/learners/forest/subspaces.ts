import { OptionError } from '../../errors.ts'
import { drawSubset } from '../../math/draws.ts'
import type { Random } from '../../math/random.ts'

/** How many channels a member sees: a share in (0, 1], a count (negative: all but so many), √d + 1, or d − (√d + 1). */
export type SubspaceSize = number | 'sqrt' | 'inverse-sqrt'

/** The size of a subspace of `channels` channels; `channels` itself when there is nothing to leave out. */
export function subspaceSize(size: SubspaceSize, channels: number): number {
  const root = Math.round(Math.sqrt(channels)) + 1
  let count: number
  if (size === 'sqrt') count = root
  else if (size === 'inverse-sqrt') count = channels - root
  else if (typeof size !== 'number' || !(Number.isInteger(size) || (size > 0 && size < 1))) {
    throw new OptionError('subspace', size, 'a share in (0, 1], an integer, sqrt or inverse-sqrt')
  } else if (size > 0 && size <= 1) {
    count = Math.round(size * channels)
    if (count < 2) count++
  } else count = size < 0 ? channels + size : size
  return count > 0 && count < channels ? count : channels
}

/** Up to this many channels, the subspaces of the members are drawn without repetition from all there are. */
const FEW_CHANNELS = 20

/**
 * The subspaces that the members begin with: `members` sets of `size` of `channels` channels.
 *
 * @param lexicographic take the first combinations in lexicographic order and deal them out at random, instead of
 * drawing among all (scikit-multiflow and River do so for up to 20 channels)
 */
export function initialSubspaces(
  random: Random,
  members: number,
  channels: number,
  size: number,
  lexicographic: boolean,
): Int32Array[] {
  if (channels > FEW_CHANNELS) {
    return Array.from({ length: members }, () => {
      const subspace = new Int32Array(size)
      drawSubset(random, channels, size, subspace)
      return subspace
    })
  }
  const all = binomial(channels, size)
  const distinct = Math.min(members, all)
  const ranks = new Int32Array(distinct)
  drawSubset(random, lexicographic ? distinct : all, distinct, ranks)
  return Array.from({ length: members }, (_, i) => combination(ranks[i % distinct], channels, size))
}

/** The combination of `size` of 0 … n − 1 at `rank` in lexicographic order. */
export function combination(rank: number, n: number, size: number): Int32Array {
  const members = new Int32Array(size)
  let next = 0
  for (let i = 0; i < size; i++) {
    // Combinations that go on with `next`: choose the others among those after it.
    for (
      let with_ = binomial(n - next - 1, size - i - 1);
      rank >= with_;
      with_ = binomial(n - next - 1, size - i - 1)
    ) {
      rank -= with_
      next++
    }
    members[i] = next++
  }
  return members
}

/** Number of ways to choose k of n, exact for n ≤ 50. */
export function binomial(n: number, k: number): number {
  if (k < 0 || k > n) return 0
  let ways = 1
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i
  return ways
}
