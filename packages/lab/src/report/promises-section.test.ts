import { dive } from '@pb-oel/core'
import { describe, expect, it } from 'vitest'
import { summarisePromises } from '../promises/promise-row.ts'
import { settingsNamed } from '../promises/promise-setting.ts'
import { tryPromises } from '../promises/promise-trial.ts'
import { promiseFindings, promisesSection } from './promises-section.ts'

function study(ids: readonly string[], method = 'pb-oel-plus') {
  const stream = dive({ samples: 400 })
  const rows = settingsNamed(ids).map((setting) =>
    summarisePromises(setting, [tryPromises(stream, setting, { method, seed: 1 })]),
  )
  return {
    stream: 'dive',
    samples: 400,
    method,
    repeats: 1,
    streamSeeds: false,

    missTarget: 0.005,
    rows,
  }
}

describe('promisesSection', () => {
  const { items, paragraphs, heading } = promisesSection(study(['at-once', 'margin-5', 'wrong-known', 'unasked']))
  const panels = (name: string) =>
    items.flatMap((item) => (item.kind === 'figure' && item.name === name ? item.panels : []))

  it('draws a panel for each setting in which the promise applies', () => {
    expect(heading).toBe('Promises on dive')
    expect(panels('promises-accuracy-dive')).toHaveLength(3)
    expect(panels('promises-regret-dive')).toHaveLength(3)
    expect(panels('promises-misses-dive')).toHaveLength(4)
    expect(panels('promises-reliability-dive')).toHaveLength(4)
    expect(panels('promises-regret-dive')[0]).toContain('regret per sample')
    for (const item of items) if (item.kind === 'figure') expect(item.panels.join('')).not.toContain('NaN')
  })

  it('says in words and in the table what does not apply', () => {
    expect(paragraphs.at(-1)).toContain('promise C with “nobody asked, only right ones answered” (nobody was asked)')
    const [table] = items
    expect(table.kind === 'table' && table.rows.map((row) => row[2].text)).toContain('does not apply')
    expect(table.kind === 'table' && table.rows[0]).toHaveLength(table.kind === 'table' ? table.header.length : 0)
  })

  it('has each figure in its column', () => {
    const made = study(['at-once'])
    const [row] = made.rows
    const figures = { accuracy: 0.91, certified: 0.9, certificateViolations: 0.01, regret: -0.02, regretBound: 0.03 }
    const more = { regretViolations: 0.04, safeSideMisses: 0.005, misses: 0.5, calibrationError: 0.06 }
    const rest = { rawCalibrationError: 0.07, falls: 3, falseFalls: 1 }
    const [table] = promisesSection({ ...made, rows: [{ ...row, ...figures, ...more, ...rest }] }).items
    expect(table.kind === 'table' && table.rows[0].map(({ text }) => text)).toEqual([
      ...['at once', '0.910', '0.9000', '1 %', '−0.0200', '0.0300', '4 %', '0.0050', '0.0600', '0.0700', '3', '1'],
    ])
    // 1.2 times the target of 0.005 is 0.006.
    const kept = (safeSideMisses: number) => promiseFindings({ ...made, rows: [{ ...row, safeSideMisses }] })[1]
    expect(kept(0.006)).toContain('with 1 of 1 kinds')
    expect(kept(0.0061)).toContain('with 0 of 1 kinds')
  })

  it('leaves out a figure that no setting has', () => {
    expect(promisesSection(study(['at-once'], 'arf')).items.map(({ name }) => name)).not.toContain(
      'promises-regret-dive',
    )
  })

  it('counts broken promises in the findings', () => {
    const broken = study(['at-once'])
    const [row] = broken.rows
    const findings = promiseFindings({
      ...broken,
      rows: [{ ...row, certificateViolations: 0.062, safeSideMisses: 0.1 }],
    })
    expect(findings[0]).toContain('above the truth in at most 6.2 % of the runs')
    expect(findings[1]).toContain('not with “at once”')
  })
})
