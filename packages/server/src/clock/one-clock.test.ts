import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sourceFiles } from '../../../../scripts/imports.ts'

/** Ways to the clocks and timers of the machine. */
const DIRECT =
  /\b(Date\.now|performance\.now|process\.hrtime|new Date\(\)|AbortSignal\.timeout)|(?<![.\w])set(Timeout|Interval)\(|set(Timeout|Interval)\b.* from 'node:timers/

const ROOT = join(import.meta.dirname, '../../../..')

describe('the server', () => {
  it('reaches the clocks and timers of the machine in one file only', () => {
    const files = sourceFiles('packages/server/src').filter((file) => !/\.test\.ts$|\/testing\//.test(file))
    expect(files.length).toBeGreaterThan(100)
    const direct = files.filter((file) => DIRECT.test(readFileSync(join(ROOT, file), 'utf8')))
    expect(direct).toEqual(['packages/server/src/clock/clock.ts'])
  })
})
