import { join } from 'node:path'
import type { Random } from '@pb-oel/core'
import type { DiskProbe } from './disk.ts'
import { People, SYSTEMS } from './people.ts'
import { RECEIVER } from './server.ts'
import { Violation } from './witness.ts'
import { World } from './world.ts'

/** What came of a seed, in one of its worlds. */
export interface Outcome {
  seed: number
  part: 'server' | 'cluster'
  /** The same for every run of a seed: a hash of everything that was recorded in the end. */
  fingerprint: string
  /** Where it failed, and what did not hold. */
  failure?: { step: number; message: string; story: string[] }
}

/** Something that can happen in a step, with how often it does. */
interface Happening {
  name: string
  weight: number
  happen: (world: World, people: People) => void | Promise<void>
}

const HAPPENINGS: readonly Happening[] = [
  { name: 'a sample', weight: 30, happen: (_, people) => people.sample() },
  { name: 'a message', weight: 14, happen: (_, people) => people.publish() },
  { name: 'an answer', weight: 20, happen: (_, people) => people.answer() },
  { name: 'a look', weight: 20, happen: (_, people) => people.look() },
  { name: 'a compaction', weight: 2, happen: (_, people) => people.compact() },
  { name: 'silence', weight: 2, happen: (world) => world.pass(5_000 + world.random.integer(40_000)) },
  { name: 'power cut', weight: 3, happen: (world) => world.cutPower() },
  { name: 'restart', weight: 1, happen: (world) => world.restart() },
  { name: 'an alarm is seen', weight: 3, happen: (_, people) => people.acknowledge() },
  { name: 'a bad network', weight: 3, happen: ({ faults, random }) => faults.spoilNetwork(random.uniform()) },
  { name: 'a slow disk', weight: 2, happen: ({ faults, random }) => faults.slowDisk(random.uniform()) },
  { name: 'a full disk', weight: 2, happen: (world) => world.full(true) },
  { name: 'no receiver', weight: 1, happen: ({ faults }) => faults.closeReceiver() },
  { name: 'no broker', weight: 2, happen: ({ broker }) => broker.disconnect() },
  { name: 'a jump of the clock', weight: 2, happen: ({ clock, random }) => clock.jump(jump(random)) },
  { name: 'all is well', weight: 6, happen: (world) => world.heal() },
]

/** Runs the world of one server and seed to its end. */
export async function runServer(seed: number, probe: DiskProbe & { folder: string }, steps: number): Promise<Outcome> {
  const world = new World(seed, probe, join(probe.folder, '..', 'scratch'))
  const people = new People(world)
  return outcomeOf(seed, 'server', world, async (begin) => {
    await world.start()
    people.found()
    for (let step = 1; step <= steps; step++) {
      const happening = DECK[world.random.integer(DECK.length)]
      begin(step, happening.name)
      await happening.happen(world, people)
      await world.pass(world.random.integer(8) === 0 ? world.random.integer(2_000) : world.random.integer(60))
    }
    await end(world, people)
  })
}

/** What a run of a world comes to; `run` is given a function to call at the beginning of each step. */
export async function outcomeOf(
  seed: number,
  part: Outcome['part'],
  world: Pick<World, 'clock' | 'story' | 'witness'> & { leave: () => void | Promise<void> },
  run: (begin: (step: number, name: string) => void) => Promise<void>,
): Promise<Outcome> {
  const { clock, story, witness } = world
  let step = 0
  const begin = (now: number, name: string) => {
    step = now
    story.push(`${step} at ${Math.round(clock.monotonic())} ms: ${name}`)
  }
  try {
    await run(begin)
    return { seed, part, fingerprint: witness.fingerprint() }
  } catch (error) {
    const message = error instanceof Violation ? error.message : ((error as Error).stack ?? String(error))
    return { seed, part, fingerprint: witness.fingerprint(), failure: { step, message, story } }
  } finally {
    await world.leave()
  }
}

/** Nothing is wrong any more: everything that is under way must come to its end. */
async function end(world: World, people: People): Promise<void> {
  world.heal()
  for (let i = 0; i < 600 && people.unheard > 0; i++) await world.pass(1_000)
  if (people.unheard > 0) throw new Violation(`${people.unheard} inputs were never acknowledged, with nothing wrong`)
  await world.pass(700_000)
  world.witness.checkAlarms([RECEIVER, 'mqtt'])
  for (const system of SYSTEMS.filter((id) => world.witness.hasSamples(id))) {
    const last = world.witness.alarms(system).findLast(({ about }) => about === 'stale')
    if (last?.status !== 'active' && last?.status !== 'acknowledged')
      throw new Violation(`missed alarm: ${system} was silent, and no alarm said so`)
  }
  world.check()
  await world.restart()
  await world.pass(100)
}

/** Milliseconds from a tenth of a second to a day, in either direction. */
export function jump(random: Random): number {
  const size = 100 * 10 ** random.between(0, 6)
  return random.integer(2) === 0 ? Math.round(size) : -Math.round(size)
}

/** Each as often as it weighs. */
const DECK = HAPPENINGS.flatMap((happening) => Array.from({ length: happening.weight }, () => happening))
