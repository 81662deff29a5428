import type { AlarmChange, AlarmMessage, AlarmOfSystem, FloodFigures } from '@pb-oel/protocol'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
/** One person can handle so many alarms in ten minutes (ISA-18.2, section 16.5). */
const BEARABLE = 10
/** An alarm chatters when it is raised so often within a minute. */
const CHATTER = 3
const MOST_FREQUENT = 10

/** Whether a change raised an alarm that called for a person. */
function isRaise({ status, cause, shelved, suppressed, outOfService }: AlarmChange): boolean {
  return status === 'active' && !cause && !shelved && suppressed === undefined && outOfService === undefined
}

/**
 * How many alarms people have to bear.
 *
 * @param changes of the latest 24 hours at least
 * @param alarms as they are now
 */
export function floodFigures(
  changes: readonly AlarmMessage[],
  alarms: readonly AlarmOfSystem[],
  now: number,
): FloodFigures {
  const raises = changes.filter((change) => isRaise(change) && change.time > now - DAY)
  raises.sort((a, b) => a.time - b.time)
  const lastTenMinutes = raises.filter(({ time }) => time > now - 10 * MINUTE).length
  const standing = alarms.filter(({ status }) => status === 'active' || status === 'acknowledged')
  const [longest] = standing.toSorted((a, b) => begun(a) - begun(b))
  const byAlarm = Map.groupBy(raises, ({ system, about = 'level' }) => `${system}/${about}`)
  const groups = [...byAlarm.values()]
  return {
    lastTenMinutes,
    flood: lastTenMinutes > BEARABLE,
    lastDay: raises.length,
    mostInTenMinutes: mostWithin(raises, 10 * MINUTE),
    standing: standing.length,
    ...(longest && {
      longestStanding: {
        ...{ system: longest.system, title: longest.title, about: longest.about },
        seconds: Math.max(0, now - begun(longest)) / 1000,
      },
    }),
    chattering: counted(groups, (group) => {
      const recent = group.filter(({ time }) => time > now - 60 * MINUTE)
      return mostWithin(recent, MINUTE) >= CHATTER ? recent.length : 0
    }),
    mostFrequent: counted(groups, (group) => group.length).slice(0, MOST_FREQUENT),
  }
}

/** When an alarm was raised; systems from before that was kept know the latest change only. */
function begun({ raised, since }: AlarmOfSystem): number {
  return raised ?? since
}

/** Alarms by how often, most often first; those that count 0 are left out. */
function counted(groups: readonly AlarmMessage[][], count: (group: AlarmMessage[]) => number) {
  return groups
    .map((group) => {
      const [{ system, title, about = 'level' }] = group
      return { system, title, about, count: count(group) }
    })
    .filter(({ count }) => count > 0)
    .sort(byCount)
}

/** Most often first; those that count the same by the name of their system, so that all workers say the same. */
function byCount(a: FloodFigures['chattering'][number], b: FloodFigures['chattering'][number]): number {
  return b.count - a.count || (a.system < b.system ? -1 : a.system > b.system ? 1 : 0)
}

/** The most raises within any span of so many milliseconds; they are in order of time. */
function mostWithin(raises: readonly AlarmMessage[], span: number): number {
  let [most, first] = [0, 0]
  raises.forEach(({ time }, last) => {
    while (raises[first].time <= time - span) first++
    most = Math.max(most, last - first + 1)
  })
  return most
}

/** The figures of several workers as one. The worst ten minutes of two workers need not be the same ones. */
export function mergedFigures(figures: readonly FloodFigures[]): FloodFigures {
  const sum = (of: (one: FloodFigures) => number) => figures.reduce((total, one) => total + of(one), 0)
  const counts = (of: (one: FloodFigures) => FloodFigures['chattering']) => figures.flatMap(of).sort(byCount)
  const lastTenMinutes = sum((one) => one.lastTenMinutes)
  const [longestStanding] = figures.flatMap((one) => one.longestStanding ?? []).sort((a, b) => b.seconds - a.seconds)
  return {
    ...{ lastTenMinutes, flood: lastTenMinutes > BEARABLE },
    lastDay: sum((one) => one.lastDay),
    mostInTenMinutes: Math.max(...figures.map((one) => one.mostInTenMinutes)),
    standing: sum((one) => one.standing),
    ...(longestStanding && { longestStanding }),
    chattering: counts((one) => one.chattering),
    mostFrequent: counts((one) => one.mostFrequent).slice(0, MOST_FREQUENT),
  }
}
