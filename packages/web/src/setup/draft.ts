import type { ChannelRange, NewSystem } from '@pb-oel/protocol'
import { signal } from '@preact/signals'
import { channelsOf, type TableFile } from '../table/table-file.ts'

/** A channel as it is being described. */
export interface ChannelDraft {
  name: string
  unit: string
  /** The plausible values; empty where there is no limit. */
  min: string
  max: string
}

/** A level as it is being described. */
export interface LevelDraft {
  name: string
  /** The cell of the file that stands for it. */
  cell?: string
}

/** A system as it is being described. */
export interface Draft {
  title: string
  /** Typed; without it the name follows the title. */
  id: string
  channels: readonly ChannelDraft[]
  /** Safest first. */
  levels: readonly LevelDraft[]
  method: string
  options: Readonly<Record<string, unknown>>
  /** Questions per thousand samples; 1,000 asks about everything. */
  perThousand: number
  /** Share of the rows of the file that is learned; the rest is played as if it happened now. */
  learned: number
}

/** Questions per thousand samples unless somebody says otherwise: people must be able to answer them. */
const PER_THOUSAND = 50

export const emptyChannel = (name = ''): ChannelDraft => ({ name, unit: '', min: '', max: '' })

const EMPTY: Draft = {
  ...{ title: '', id: '', method: 'pb-oel-plus', options: {}, perThousand: PER_THOUSAND, learned: 0.9 },
  channels: [emptyChannel()],
  levels: [{ name: 'safe' }, { name: 'unsafe' }],
}

/** What is typed stays while the page is open, also when another view is looked at. */
export const draft = signal<Draft>(EMPTY)
/** The dropped file; `null` where samples will be sent. */
export const table = signal<TableFile | null>(null)

/** Changes some of the draft. */
export function change(part: Partial<Draft>): void {
  draft.value = { ...draft.value, ...part }
}

/** Takes a file, or the same file with other uses of its columns. What was typed about its channels stays. */
export function takeTable(file: TableFile): void {
  const known = new Map(draft.value.channels.map((channel) => [channel.name, channel]))
  const cells = draft.value.levels.map(({ cell }) => cell)
  const same = file.levels.length === cells.length && file.levels.every((cell) => cells.includes(cell))
  table.value = file
  change({
    title: draft.value.title || titleOf(file.name),
    channels: channelsOf(file).map((name) => known.get(name) ?? emptyChannel(name)),
    ...(!same && { levels: file.levels.map((cell) => ({ name: cell, cell })) }),
  })
}

/** Begins anew. */
export function clearDraft(): void {
  draft.value = EMPTY
  table.value = null
}

const titleOf = (file: string): string => file.replace(/\.(csv|tsv|txt)?(\.gz)?$/i, '')

/** The name of the system in addresses: as typed, or made of the title. */
export function idOf({ id, title }: Draft): string {
  const slug = title
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
  return id.trim() || slug.slice(0, 64).toLowerCase()
}

/** What the server is asked to create. */
export function requestOf(given: Draft): NewSystem {
  const { title, channels, levels, method, options, perThousand } = given
  const units = channels.filter(({ unit }) => unit.trim() !== '').map(({ name, unit }) => [name.trim(), unit.trim()])
  const ranges = channels.flatMap(({ name, min, max }) => {
    const range = { ...limit('min', min), ...limit('max', max), action: 'flag' } satisfies ChannelRange
    return min === '' && max === '' ? [] : [[name.trim(), range]]
  })
  return {
    id: idOf(given),
    title: title.trim(),
    channels: channels.map(({ name }) => name.trim()),
    levels: levels.map(({ name }) => name.trim()),
    method,
    options: { ...options },
    // A sensor that misses a reading must not silence the others.
    missing: 'hold',
    ...(perThousand < 1000 && { ask: { perThousand } }),
    ...(units.length > 0 && { units: Object.fromEntries(units) }),
    ...(ranges.length > 0 && { ranges: Object.fromEntries(ranges) }),
  }
}

const limit = (side: 'min' | 'max', value: string) => (value === '' ? {} : { [side]: Number(value) })

/** What is missing before the system can be created, in the words of `en.ts`; `undefined` when nothing is. */
export function lack({ title, channels, levels }: Draft, file: TableFile | null) {
  const names = levels.map(({ name }) => name.trim())
  if (title.trim() === '') return 'title'
  if (channels.length === 0 || channels.some(({ name }) => name.trim() === '')) return 'channels'
  if (names.some((name) => name === '') || new Set(names).size < names.length) return 'levels'
  if (levels.length < 2) return file ? 'levelColumn' : 'levels'
  return undefined
}
