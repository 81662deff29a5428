import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { type PeopleOptions, peopleOf, peopleOptions } from './people.ts'

function parse(...words: string[]) {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => {} })
  for (const option of peopleOptions()) command.addOption(option)
  return peopleOf(command.parse(words, { from: 'user' }).opts<PeopleOptions>())
}

describe('the options about people', () => {
  it('become settings of a run', () => {
    expect(parse()).toBeUndefined()
    expect(parse('--ask', 'margin')).toEqual({ ask: { strategy: 'margin', perThousand: 50, question: 'verdict' } })
    expect(parse('--ask', 'drift:5:auto')?.ask).toEqual({ strategy: 'drift', perThousand: 5, question: 'auto' })
    expect(parse('--answers', 'delay=100', '--answers', 'wrong=0.1')).toEqual({ answers: { delay: 100, wrong: 0.1 } })
    expect(parse('--costs', '10', '--escalate', '0.3')).toEqual({ costs: 10, escalateAbove: 0.3 })
  })

  it('are refused when malformed', () => {
    for (const words of [
      ['--ask', 'margin:many'],
      ['--ask', 'a:1:label:x'],
      ['--answers', 'late'],
      ['--escalate', '2'],
    ]) {
      expect(() => parse(...words)).toThrow()
    }
  })
})
