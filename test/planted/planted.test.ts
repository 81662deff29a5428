import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PLANTED } from './errors.ts'

const ROOT = join(import.meta.dirname, '../..')

describe('the planted errors', () => {
  it.each(PLANTED)(
    '$name: the line still stands, so that npm run planted can change it',
    ({ file, right, wrong, tests }) => {
      expect(readFileSync(join(ROOT, file), 'utf8').split(right)).toHaveLength(2)
      expect(wrong).not.toBe(right)
      for (const test of tests) expect([test, existsSync(join(ROOT, test))]).toEqual([test, true])
    },
  )
})
