import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { PYTHON } from './support/needs.ts'

const ROOT = resolve(import.meta.dirname, '..')

/** The tests of the Python package are its own: pytest runs them here against the command of this clone. */
describe.skipIf(!PYTHON)('the Python package (needs Python 3.11 with venv: npm test installs its packages)', () => {
  it('passes its tests under pytest', { timeout: 900_000 }, async () => {
    const command = `${JSON.stringify(process.execPath)} ${JSON.stringify(join(ROOT, 'packages/cli/bin/pb-oel.js'))}`
    const env = { ...process.env, PB_OEL_COMMAND: command, PYTHONPYCACHEPREFIX: join(ROOT, '.cache/compiled-python') }
    const options = { cwd: join(ROOT, 'python'), env, maxBuffer: 1 << 24 }
    const run = promisify(execFile)(PYTHON as string, ['-m', 'pytest', '-p', 'no:cacheprovider'], options)
    const { stdout } = await run.catch((error) => error as { stdout: string })
    expect(stdout).toMatch(/\n\d+ passed/)
    expect(stdout).not.toMatch(/failed|error|skipped/)
  })
})
