import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { PAGES_RUN, runPage } from '../testing/run-page.ts'

const tools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0)

describe.skipIf(!tools)('every command and program of a page works (needs bash and curl)', () => {
  it.concurrent.each(PAGES_RUN)('%s', { timeout: 900_000 }, async (page) => {
    for (const { text, code, output } of await runPage(page)) {
      expect(`${text}→ ${code} ${code === 0 ? '' : output}`).toBe(`${text}→ 0 `)
    }
  })
})
