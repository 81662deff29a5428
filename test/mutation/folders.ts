/** A folder whose code is mutated, and the tests that must notice. */
export interface MutatedFolder {
  /** Files to change; tests and what only tests use are left out. */
  readonly mutate: string
  /** Files and folders in it that are left alone. */
  readonly except?: readonly string[]
  readonly tests: readonly string[]
  /** Milliseconds of processor time; tests that take more are left out. */
  readonly slow: number
  /** Milliseconds of real time beyond those of the tests, after which a mutant counts as one that does not end. */
  readonly patience: number
}

const core = (folder: string, ...more: string[]): MutatedFolder => ({
  mutate: `packages/core/src/${folder}`,
  tests: [`${folder}/**/*.test.ts`, ...more].map((path) => path.replace(/^!?/, '$&packages/core/src/')),
  slow: 200,
  // These tests compute and wait for nothing.
  patience: 10_000,
})

/** Tests of a server in a process or thread of its own are left out: mutants are not there. */
const server = (folder: string, ...more: string[]): MutatedFolder => ({
  mutate: `packages/server/src/${folder}`,
  tests: [`${folder}/**/*.test.ts`, ...more].map((path) => path.replace(/^!?/, '$&packages/server/src/')),
  slow: 1000,
  patience: 40_000,
})

/** Every folder with a stored score, by the word that `npm run mutate -- word` takes. */
export const FOLDERS: Readonly<Record<string, MutatedFolder>> = {
  'pb-oel': core('pb-oel'),
  'pb-oel-plus': core('pb-oel-plus', '!pb-oel-plus/robust-inputs.test.ts'),
  experts: core('experts', 'pb-oel/pb-oel.test.ts'),
  // Long runs, and a test that needs modules loaded anew.
  rvfl: {
    ...core('rvfl', '!rvfl/kernel/{definiteness,precision,known-precisions}.test.ts', '!rvfl/kernel/testing/**'),
    // It runs in a thread of its own, where mutants are not.
    except: ['kernel/thread.ts'],
  },
  drift: core('drift'),
  feedback: core('feedback'),
  asking: core('asking'),
  metrics: core('metrics'),
  fold: { ...server('fold', '!fold/ranges.test.ts'), slow: 80 },
  // The log in NATS has tests of its own, against a real cluster.
  log: { ...server('log', '!log/nats/**'), except: ['nats/**'] },
  service: { ...server('service', '!service/{outlier,operations,exclusion,keys}.test.ts'), slow: 100 },
  alarms: { ...server('alarms'), slow: 500 },
  auth: server('auth', '!auth/revoke.test.ts'),
}
