/** A folder whose code is mutated, and the tests that must notice. */
export interface MutatedFolder {
  /** Files to change; tests and what only tests use are left out. */
  readonly mutate: string
  readonly tests: readonly string[]
}

const core = (folder: string, ...more: string[]): MutatedFolder => ({
  mutate: `packages/core/src/${folder}`,
  tests: [`packages/core/src/${folder}`, ...more.map((one) => `packages/core/src/${one}`)].map((path) =>
    path.endsWith('.ts') ? path : `${path}/**/*.test.ts`,
  ),
})

const server = (folder: string, ...more: string[]): MutatedFolder => ({
  mutate: `packages/server/src/${folder}`,
  tests: [`packages/server/src/${folder}/**/*.test.ts`, ...more.map((one) => `packages/server/src/${one}`)],
})

/** Every folder with a stored score, by the word that `npm run mutate -- word` takes. */
export const FOLDERS: Readonly<Record<string, MutatedFolder>> = {
  'pb-oel': core('pb-oel'),
  'pb-oel-plus': core('pb-oel-plus', 'experts/round-book.test.ts'),
  experts: core('experts', 'pb-oel/pb-oel.test.ts'),
  rvfl: core('rvfl'),
  drift: core('drift'),
  feedback: core('feedback'),
  asking: core('asking'),
  metrics: core('metrics'),
  fold: server('fold', 'service/service.test.ts', 'promises.test.ts'),
  log: server('log'),
  service: server('service', 'http/api.test.ts'),
  alarms: server('alarms'),
  auth: server('auth', 'http/security.test.ts'),
}
