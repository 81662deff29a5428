import { Asker, type Coin, createAssessor, dive, isBounded, Promises } from '@pb-oel/core'
import { firstOfEachLevel } from '@pb-oel/lab'
import type { Benchmark } from './benchmark.ts'
import { interleave, processorTime, ratioResult, timeResults, type Variant } from './measure.ts'

const SAMPLES = 30_000
/** Milliseconds of a turn: long enough for a difference of 1 % to show. */
const TURN = 40
/** The same experts and inputs in both editions, so that only the promises differ. */
const EXPERTS = {
  ...{ networks: 10, scaling: 'warm-up', blend: false, guard: false },
  members: [1, 2].map((patience) => ({ kind: 'persistence', patience })),
}

/** Which samples are answered, by their label: then the networks learn the same, whatever was assessed. */
const ANSWERED = { 'all answered': 1, '5 % asked': 0.05, 'none answered': 0 }

/**
 * What promises cost: assess and learn with the account of regret, certificates, safe-side level, recalibration and
 * alarm, beside the same without them (edition 1). Times are of the processor.
 */
export const promisesBench: Benchmark = {
  name: 'promises',
  summary: 'assess and learn with everything that is promised, beside the same without promises',
  run({ seconds }) {
    return Object.entries(ANSWERED).flatMap(([name, share]) => {
      const variants = [promisedLoop(name, share, false), promisedLoop(name, share, true)]
      const timings = interleave(variants, seconds * 4, TURN, processorTime)
      const [without, promised] = timings
      return [
        ...timeResults('promises', timings),
        {
          ...ratioResult('promises', without, promised),
          variant: `${promised.name} : ${without.name}`,
          unit: 'of its time',
        },
      ]
    })
  },
}

/** One sample per run, from a dive that starts again at its end. */
function promisedLoop(name: string, answered: number, promised: boolean): Variant {
  const stream = dive({ samples: SAMPLES })
  const samples = Array.from(stream, ({ x, level }) => ({ x: x.slice(), level }))
  const warmUp = firstOfEachLevel(stream)
  const edition = promised ? 2 : 1
  const assessor = createAssessor('pb-oel-plus', { channels: 24, levels: 3, seed: 1, warmUp, edition }, EXPERTS)
  const asker =
    answered > 0 && answered < 1 ? new Asker({ strategy: 'random', perThousand: 1000 * answered }) : undefined
  const promises = promised ? new Promises({ levels: 3, warmUp, floor: asker?.leastProbability }) : undefined
  const everything: Coin = { probability: 1, asked: true }
  let n = 0
  return {
    name: `${name}, ${promised ? 'with promises' : 'without'}`,
    run() {
      const { x, level } = samples[n++ % SAMPLES]
      const assessment = assessor.assess(x)
      const { id } = assessment
      const asked = asker?.consider(assessment) !== undefined
      if (promises) {
        const coin = asker ? { probability: asker.probability, asked } : everything
        if (asker && isBounded(assessor)) assessor.noteCoin(id, coin)
        promises.open(assessment, coin)
      }
      if (asker ? !asked : answered === 0) return
      const feedback = { kind: 'label', level, ...(asker && { asked: asker.probability }) } as const
      assessor.learn(id, feedback)
      promises?.settle(id, feedback)
    },
  }
}
