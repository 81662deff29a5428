import { Type } from '@sinclair/typebox'
import { share } from './field.ts'
import { count, figure, machine, named, output } from './output-field.ts'

const accuracies = Type.Array(share('of each run'))
const rows = Type.Array(
  Type.Object({
    ...{ method: Type.String(), rho: share('of samples with a full label') },
    ...{ mean: share('right, over the runs'), std: Type.Number(), accuracies },
  }),
)

const table = {
  stream: Type.String(),
  samples: count('of the stream'),
  levels: count('of the stream'),
  rows,
  averages: named(Type.Number(), 'accuracy of each method over all shares of labels'),
  epsilons: named(figure('share'), 'share of assessments that each method draws at random; null without such a rule'),
  ranks: named(figure('place'), 'place of each method by its average; null for baselines'),
}

const point = Type.Object({
  ...{ c: Type.Number(), alpha: Type.Number(), accuracy: share('right') },
  capped: Type.Boolean({ description: 'whether γ was cut to 1' }),
})

const series = Type.Object({
  mean: Type.Array(Type.Number(), { description: 'accuracy at each of `samples`, over the runs' }),
  std: Type.Array(Type.Number()),
})

const curve = Type.Object({
  ...{ method: Type.String(), rho: share('of samples with a full label') },
  samples: Type.Array(count('samples so far')),
  ...{ prequential: series, latest1000: series },
})

const policy = Type.Object({
  ...{ method: Type.String(), rho: share('of samples with a full label'), accuracy: share('right, over the runs') },
  ...{ bestExpert: figure('accuracy of the best single expert'), ultimate: figure('of the best of each batch') },
  ...{ regret: figure('how much better the best expert was'), value: figure('accuracy promised at least') },
  applies: Type.Boolean({ description: 'whether the assumptions of the theorem hold' }),
  reason: Type.Optional(Type.String({ description: 'why not' })),
})

const standing = Type.Object({
  ...{ method: Type.String(), rank: Type.Number(), first: count('streams on which no method is better') },
  ...{ mean: share('right, over the streams'), worstGap: Type.Number(), worstStream: Type.String() },
})

const promiseRow = Type.Object({
  ...{ id: Type.String(), setting: Type.String(), runs: count('of the setting; figures are means over them') },
  notApplied: named(Type.String(), 'why a promise is not made'),
  accuracy: share('right'),
  regret: Type.Optional(Type.Number({ description: 'absent for a method without experts' })),
  regretBound: Type.Optional(Type.Number()),
  certified: Type.Optional(share('accuracy that was certified; absent where it is not')),
  ...{ misses: share('of samples'), safeSideMisses: share('of samples') },
  ...{ falls: Type.Number({ minimum: 0 }), falseFalls: Type.Number({ minimum: 0 }) },
  regretViolations: share('of runs in which the bound of the regret was ever below it'),
  certificateViolations: share('of runs in which the certificate was ever above the truth'),
})

const option = Type.Object({
  ...{ name: Type.String(), kind: Type.String(), allowed: Type.String(), about: Type.String() },
  required: Type.Optional(Type.Boolean()),
})
const method = {
  ...{ name: Type.String(), title: Type.String(), role: Type.String(), summary: Type.String() },
  levels: Type.Optional(Type.Integer({ description: 'the only number of levels it takes' })),
}

/** Documents about one or more tables. */
const tables = { streams: Type.Array(Type.Object(table)) }

/** What the commands of the lab print. */
export const LabOutputs = {
  table: Type.Union([output(table, 'of one stream'), output(tables, 'of several streams')], {
    description: 'pb-oel table',
  }),
  landscape: output(
    {
      stream: Type.String(),
      landscapes: Type.Array(
        Type.Object({ rho: share('of samples with a full label'), points: Type.Array(point), best: point }),
      ),
    },
    'pb-oel landscape',
  ),
  curves: output({ stream: Type.String(), curves: Type.Array(curve) }, 'pb-oel curves'),
  bounds: output({ stream: Type.String(), rows: Type.Array(policy) }, 'pb-oel bounds'),
  experiment: output(
    { title: Type.String(), parts: Type.Array(Type.Object({ title: Type.String(), ...tables })) },
    'pb-oel experiment',
  ),
  reproduce: output(tables, 'pb-oel reproduce'),
  suite: output(
    {
      streams: Type.Array(
        Type.Object({ stream: Type.String(), samples: count('of the stream'), levels: count('of the stream') }),
      ),
      methods: Type.Array(Type.String()),
      twoLevels: Type.Array(Type.String(), { description: 'methods that take two levels only' }),
      shares: Type.Array(
        Type.Object({
          rho: share('of samples with a full label'),
          standings: Type.Array(standing),
          criticalDifference: Type.Optional(Type.Number({ description: 'of mean ranks (Nemenyi)' })),
          ...{ chiSquared: Type.Optional(Type.Number()), pValue: Type.Optional(Type.Number()) },
          accuracies: Type.Array(
            Type.Object({ stream: Type.String() }, { description: 'and the accuracy of each method by its name' }),
          ),
        }),
      ),
    },
    'pb-oel suite',
  ),
  promises: output(
    {
      ...{ command: Type.String(), machine, stream: Type.String(), method: Type.String() },
      ...{ samples: count('of the stream'), repeats: count('runs of each setting') },
      ...{ streamSeeds: Type.Boolean(), missTarget: share('of samples'), rows: Type.Array(promiseRow) },
    },
    'pb-oel promises',
  ),
  methods: Type.Union(
    [
      Type.Array(Type.Object(method), { description: 'all methods; a list has no version' }),
      output({ ...method, options: Type.Array(option) }, 'one method'),
    ],
    { description: 'pb-oel methods' },
  ),
  bench: output(
    {
      machine,
      versions: named(Type.String(), 'of pb-oel, Node and V8'),
      date: Type.String(),
      results: Type.Array(
        Type.Object({
          ...{ benchmark: Type.String(), variant: Type.String(), unit: Type.String() },
          ...{ median: Type.Number(), low: Type.Number(), high: Type.Number() },
        }),
      ),
    },
    'pb-oel bench',
  ),
} as const
