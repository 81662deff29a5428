/**
 * Moves labels apart so that each has `gap` to the next and all stay within `low … high`, as near as possible to where
 * they belong: labels that collide form a block centred on the mean of their places.
 *
 * @returns the new place of each label, in the order given
 */
export function spreadLabels(places: readonly number[], gap: number, low: number, high: number): number[] {
  const order = places.map((_, i) => i).sort((a, b) => places[a] - places[b])
  const blocks: { members: number[]; first: number }[] = []
  for (const index of order) {
    blocks.push({ members: [index], first: within(places[index], 1) })
    while (blocks.length > 1) {
      const [upper, lower] = blocks.slice(-2)
      if (lower.first >= upper.first + upper.members.length * gap) break
      const members = [...upper.members, ...lower.members]
      const centre = members.reduce((sum, member) => sum + places[member], 0) / members.length
      blocks.splice(-2, 2, { members, first: within(centre - ((members.length - 1) * gap) / 2, members.length) })
    }
  }
  const placed = new Array<number>(places.length)
  for (const { members, first } of blocks) {
    members.forEach((member, i) => {
      placed[member] = first + i * gap
    })
  }
  return placed

  function within(first: number, count: number): number {
    return Math.max(low, Math.min(first, high - (count - 1) * gap))
  }
}
