import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { optionTables } from '../scripts/option-tables.ts'

it('docs/options.md says what the option tables say; node scripts/option-tables.ts writes it', () => {
  expect(readFileSync(join(import.meta.dirname, '../docs/options.md'), 'utf8')).toBe(optionTables())
})
