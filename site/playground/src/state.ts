import { computed, effect, signal } from '@preact/signals'
import { guessColumns, type Preview, previewColumns } from '../../../packages/web/src/table/columns.ts'
import { readBeginning } from '../../../packages/web/src/table/read-text.ts'
import { Contestant } from './engine/contestant.ts'
import { FULL_SPEED } from './engine/messages.ts'
import { fromAddress, toAddress } from './settings/address.ts'
import type { MethodChoice, Reviewer, Settings } from './settings/settings.ts'

/** What is chosen. The address of the page follows it. */
export const settings = signal<Settings>(fromAddress(location.hash))

/** The dropped file, and a look at its columns. A link brings the columns but not the file. */
export const file = signal<File | undefined>(undefined)
export const preview = signal<Preview | undefined>(undefined)
export const fileProblem = signal('')

/** Samples per second at most. */
export const pace = signal(FULL_SPEED)

/** The methods at work; none before the first run. */
export const contestants = signal<readonly Contestant[]>([])

/** Whether a run is under way. */
export const busy = computed(() =>
  contestants.value.some(({ phase }) => phase.value !== 'done' && phase.value !== 'failed'),
)

/** Whether a run can start: a stream from a file needs the file. */
export const ready = computed(() => settings.value.file === undefined || file.value !== undefined)

effect(() => {
  history.replaceState(null, '', `#${toAddress(settings.value)}`)
})

addEventListener('hashchange', () => {
  settings.value = fromAddress(location.hash)
})

/** Changes some of the settings. */
export function change(part: Partial<Settings>): void {
  settings.value = { ...settings.value, ...part }
}

export function changeReviewer(part: Partial<Reviewer>): void {
  change({ reviewer: { ...settings.value.reviewer, ...part } })
}

/** Changes the first or the second method; `undefined` removes it. */
export function changeMethod(index: number, method: MethodChoice | undefined): void {
  const methods = [...settings.value.methods]
  if (method) methods[index] = method
  else methods.splice(index, 1)
  change({ methods })
}

/** Takes a dropped file: looks at its columns and guesses what they mean, unless a link has said it already. */
export async function takeFile(dropped: File): Promise<void> {
  try {
    const look = previewColumns(await readBeginning(dropped), dropped.name)
    const names = look.columns.map(({ name }) => name)
    const known = settings.value.file
    const fits = known && names.includes(known.level) && known.dropped.every((name) => names.includes(name))
    const columns = fits ? { level: known.level, dropped: known.dropped } : guessColumns(look)
    file.value = dropped
    preview.value = look
    fileProblem.value = ''
    change({ file: { ...columns, name: dropped.name, missing: known?.missing ?? 'last' } })
  } catch (error) {
    fileProblem.value = error instanceof Error ? error.message : String(error)
  }
}

/** Goes back to a generator. */
export function leaveFile(): void {
  file.value = undefined
  preview.value = undefined
  fileProblem.value = ''
  change({ file: undefined })
}

/** Starts a run with what is chosen; an earlier one ends. */
export function start(): void {
  stop()
  const { stream: address, file: columns, methods, seed, reviewer } = settings.value
  if (!ready.value) return
  const stream =
    columns && file.value
      ? ({ kind: 'file', file: file.value, columns } as const)
      : ({ kind: 'generator', address } as const)
  // One person answers one method: whoever compares lets the simulated reviewer answer.
  const running = reviewer.by === 'me' ? methods.slice(0, 1) : methods
  contestants.value = running.map((method) => new Contestant({ stream, method, seed, reviewer }, pace.value))
}

/** Ends the run and keeps what it has shown. */
export function stop(): void {
  for (const contestant of contestants.value) {
    contestant.stop()
    if (contestant.phase.value !== 'failed') contestant.phase.value = 'done'
    contestant.question.value = undefined
  }
}

export function setPace(samplesPerSecond: number): void {
  pace.value = samplesPerSecond
  for (const contestant of contestants.value) contestant.setPace(samplesPerSecond)
}
