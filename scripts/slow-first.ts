// The order of the test files: the slowest first, so that none of them is left over when all others are done. A fresh
// clone has no times of its own. `npm test` prints the slowest files at its end.
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const SLOWEST = [
  'test/python.test.ts',
  'packages/server/src/cluster/chaos.test.ts',
  'site/build/site.test.ts',
  'packages/web/src/app.test.ts',
  'packages/web/src/dive.test.ts',
  'site/build/pages-run.test.ts',
  'packages/server/src/cluster/cluster.test.ts',
  'packages/server/src/crash.test.ts',
  'test/simulated/simulated.test.ts',
  'packages/web/src/live/charts.test.ts',
  'site/playground/src/playground.test.ts',
  'packages/web/src/promises/promises.test.ts',
  'packages/web/src/setup/setup.test.ts',
  'packages/web/src/overview/many.test.ts',
  'packages/web/src/live/clock.test.ts',
  'packages/web/src/alarms/alarms.test.ts',
  'packages/core/src/robustness.test.ts',
  'packages/core/src/laws.test.ts',
  'packages/server/src/http/readers.test.ts',
  'packages/server/src/http/fuzz.test.ts',
  'packages/cli/src/commands/schema.test.ts',
  'packages/server/src/damage.test.ts',
  // Small files that take some seconds: others begin in the order of their size.
  'packages/server/src/mqtt/hostile.test.ts',
  'packages/web/src/chrome/connection.test.ts',
  'packages/web/src/api/browser-api.test.ts',
  'packages/cli/src/commands/completion.test.ts',
  'packages/server/src/durable-threads.test.ts',
  'packages/core/src/rvfl/kernel/testing/fma.test.ts',
  'test/setup.test.ts',
  'test/acceptance.test.ts',
  'test/examples.test.ts',
  'bench/src/scaling-bench.test.ts',
]

export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = SLOWEST.indexOf(relative('.', moduleId).replaceAll('\\', '/'))
      return at < 0 ? SLOWEST.length : at
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}
