import { FeedbackError } from '@pb-oel/core'
import type { GivenStretch, SystemEvent } from '@pb-oel/protocol'
import { Conflict, InvalidRequest } from '../errors.ts'
import { answeredBy } from '../fold/stretch.ts'
import type { SystemFold } from '../fold/system-fold.ts'

/** Samples that one stretch answers at most: the others of its thread wait until they are learned. */
const MOST = 20_000

/** The event that an answer about a stretch is, given the state: which samples it answers. */
export function stretchEvent(
  { from, to, kind, level, note, key }: GivenStretch & { level?: number },
  by: string,
  { configuration, recent }: SystemFold,
  time: number,
): SystemEvent {
  const { levels, late = {} } = configuration
  if (level !== undefined && level >= levels.length) {
    throw new FeedbackError('level', level, `an integer in [0, ${levels.length - 1}], or a name of a level`)
  }
  const { samples = recent.capacity, seconds = Number.POSITIVE_INFINITY } = late as {
    samples?: number
    seconds?: number
  }
  const oldest = (recent.latest?.assessment ?? 0) - samples
  const kept = recent.list().filter((one) => one.assessment > oldest && time - one.time <= seconds * 1000)
  const within = kept.filter((one) => one.time >= from && one.time <= to)
  if (within.length === 0) throw new Conflict(`no sample between ${iso(from)} and ${iso(to)} ${whyNot(kept, to)}`)
  const said = { kind, ...(level !== undefined && { level }) }
  const range = { from: within[0].assessment, to: within[within.length - 1].assessment }
  const answered = answeredBy(recent, { ...range, ...said }).length
  if (answered === 0) throw new Conflict(`every sample between ${iso(from)} and ${iso(to)} is answered already`)
  if (answered > MOST) {
    throw new InvalidRequest(`this stretch has ${answered} open samples; one answer may be about ${MOST} at most`)
  }
  const more = { ...(note !== undefined && { note }), ...(key !== undefined && { key }) }
  return { kind: 'stretch', body: { ...range, ...said, answered, ...more, by } }
}

/** The event that takes a stretch back. */
export function withdrawalEvent(stretch: number, by: string, { recent }: SystemFold): SystemEvent {
  const answered = recent.list().filter(({ answer }) => answer?.stretch === stretch).length
  if (answered === 0) {
    throw new Conflict(
      `record ${stretch} is no stretch, was taken back before, or is too old: none of its answers is kept`,
    )
  }
  return { kind: 'withdrawal', body: { stretch, answered, by } }
}

const iso = (time: number): string => new Date(time).toISOString()

function whyNot(kept: readonly { time: number }[], to: number): string {
  if (kept.length === 0 || to < kept[0].time) return 'can still be answered'
  return 'is there'
}
