import { describe, expect, it } from 'vitest'
import { DEFAULTS, type Settings } from '../settings/settings.ts'
import { asCommand } from './as-command.ts'
import { asTypeScript } from './as-typescript.ts'

const settings: Settings = {
  ...DEFAULTS,
  file: { name: "it's.csv.gz", level: 'state', dropped: ['time'], missing: 'last' },
  methods: [{ name: 'pb-oel', options: { c: 0.2, members: [{ kind: 'persistence' }] } }],
  reviewer: { ...DEFAULTS.reviewer, delay: 20, law: 'heavy', wrong: 0.1 },
}

describe('the same run elsewhere', () => {
  it('is a command that a shell reads', () => {
    expect(asCommand(settings)).toBe(
      "npx pb-oel run 'it'\\''s-mapped.csv' --method pb-oel --label state --missing last --rho 0.05 --seed 1 --set c=0.2 " +
        `--set 'members=[{"kind":"persistence"}]' --answers 'delay={"law":"heavy","mean":20}' --answers wrong=0.1`,
    )
  })

  it('is a program', () => {
    const program = asTypeScript(settings)
    expect(program).toContain("openStream('./it\\'s-mapped.csv', { label: 'state', missing: 'last' })")
    expect(program).toContain("options: { c: 0.2, members: [{ kind: 'persistence' }] }")
    expect(program).toContain("answers: { delay: { law: 'heavy', mean: 20 }, wrong: 0.1 }")
  })
})
