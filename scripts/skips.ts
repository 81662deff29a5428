// Which tests were skipped and why, and whether that is allowed. The reason stands in brackets in the title of the test
// or of a group around it.
import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** A test that was not run; `why` is undefined where its titles give no reason. */
export interface Skip {
  readonly file: string
  readonly name: string
  readonly why: string | undefined
}

/** A missing program fails in strict mode; these reasons do not. */
const ALLOWED = /^(soak|excused): /

/** Whether a missing program fails instead of skipping. */
export function isStrict(env: NodeJS.ProcessEnv): boolean {
  return env.CI === 'true' || env.PB_OEL_STRICT === '1'
}

/** The reason in the last brackets of a full name that open with "needs", "soak:" or "excused:". */
export function reasonOf(name: string): string | undefined {
  return [...name.matchAll(/\(((?:needs |soak: |excused: )(?:[^()]|\([^()]*\))*)\)/g)].at(-1)?.[1]
}

/** Skips that strict mode does not allow. */
export function forbidden(skips: readonly Skip[]): Skip[] {
  return skips.filter(({ why }) => why === undefined || !ALLOWED.test(why))
}

/** One line for each file and reason, with the number of tests. */
export function summary(skips: readonly Skip[]): string[] {
  const groups = Map.groupBy(skips, ({ file, why, name }) => `${file}: ${why ?? `no reason given: ${name}`}`)
  return [...groups].map(([what, { length }]) => `  ${length === 1 ? '1 test' : `${length} tests`} of ${what}`)
}

/** Prints the summary behind a run, and fails the run in strict mode. */
export default class SkipReporter implements Reporter {
  #filtered = false

  onInit(vitest: Vitest): void {
    this.#filtered = vitest.config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skips = modules.flatMap((module) => [...skipsOf(module)])
    // With -t most tests are passed over; nobody skipped those.
    if (this.#filtered || skips.length === 0) return
    console.log(['skipped:', ...summary(skips)].join('\n'))
    const wrong = isStrict(process.env) ? forbidden(skips) : []
    if (wrong.length === 0) return
    console.log(['strict: these must run here, so the run fails:', ...summary(wrong)].join('\n'))
    process.exitCode = 1
  }
}

function* skipsOf({ children, relativeModuleId: file }: TestModule): Iterable<Skip> {
  for (const { fullName: name } of children.allTests('skipped')) yield { file, name, why: reasonOf(name) }
}
