import type { Random } from '@pb-oel/core'
import { ClusterWorld } from './cluster-world.ts'
import { jump, type Outcome, outcomeOf } from './run.ts'
import { RECEIVER } from './server.ts'
import { Violation } from './witness.ts'

/** Something that can happen in a step, with how often it does. */
interface Happening {
  name: string
  weight: number
  happen: (world: ClusterWorld) => void | Promise<void>
}

const HAPPENINGS: readonly Happening[] = [
  { name: 'a sample', weight: 16, happen: (world) => world.sample() },
  { name: 'a look', weight: 30, happen: (world) => world.look() },
  { name: 'one more worker', weight: 8, happen: (world) => world.start() },
  { name: 'a worker is gone', weight: 3, happen: (world) => world.kill() },
  { name: 'a worker is cut off', weight: 8, happen: (world) => world.cutOff() },
  { name: 'a bad network', weight: 3, happen: ({ faults, random }) => faults.spoilNetwork(random.uniform()) },
  { name: 'time passes', weight: 12, happen: (world) => world.pass(world.random.integer(4_000)) },
  { name: 'a jump of the clock', weight: 1, happen: ({ clock, random }) => clock.jump(jump(random)) },
  { name: 'all is well', weight: 3, happen: (world) => world.heal() },
]

/** Each as often as it weighs. */
const DECK = HAPPENINGS.flatMap((happening) => Array.from({ length: happening.weight }, () => happening))

/** Runs the cluster of one seed to its end. */
export async function runCluster(seed: number, steps: number): Promise<Outcome> {
  const world = new ClusterWorld(seed)
  return outcomeOf(seed, 'cluster', world, async (begin) => {
    world.start()
    world.start()
    world.found()
    for (let step = 1; step <= steps; step++) {
      const happening = DECK[world.random.integer(DECK.length)]
      begin(step, happening.name)
      await happening.happen(world)
      await world.pass(pause(world.random))
    }
    await end(world)
  })
}

function pause(random: Random): number {
  return random.integer(8) === 0 ? random.integer(3_000) : random.integer(100)
}

/** Nothing is wrong any more: everything that is under way must come to its end. */
async function end(world: ClusterWorld): Promise<void> {
  world.heal()
  world.start()
  for (let i = 0; i < 600 && world.unheard > 0; i++) await world.pass(1_000)
  if (world.unheard > 0) throw new Violation(`inputs never acknowledged, with nothing wrong: ${world.unheard}`)
  await world.pass(400_000)
  world.witness.checkAlarms([RECEIVER])
  world.check()
}
