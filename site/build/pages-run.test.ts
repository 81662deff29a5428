import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { runPage } from '../testing/run-page.ts'

const tools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0)
const PAGES = [
  'docs/tutorial.md',
  'docs/how-to/operator.md',
  'docs/how-to/plant-engineer.md',
  'docs/how-to/ml-engineer.md',
  'docs/how-to/researcher.md',
  'docs/how-to/admin.md',
  'docs/coming-from.md',
]

describe.skipIf(!tools)('every command and program of a page works (needs bash and curl)', () => {
  it.each(PAGES)('%s', { timeout: 300_000 }, async (page) => {
    for (const { text, code, output } of await runPage(page)) {
      expect(`${text}→ ${code} ${code === 0 ? '' : output}`).toBe(`${text}→ 0 `)
    }
  })
})
