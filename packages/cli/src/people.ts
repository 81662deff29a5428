import type { AskingOptions } from '@pb-oel/core'
import type { People } from '@pb-oel/lab'
import { InvalidArgumentError, Option } from 'commander'
import { number, setting } from './arguments.ts'

/** The options of a command that {@link peopleOptions} adds. */
export interface PeopleOptions {
  ask?: AskingOptions
  answers?: Record<string, unknown>
  costs?: number
  escalate?: number
}

/** The options about reviewers: what they are asked, how they answer, what mistakes cost, when they are called. */
export function peopleOptions(): Option[] {
  return [
    new Option('--ask <strategy:n>', 'ask about n samples per thousand, such as margin:50, in place of all').argParser(
      ask,
    ),
    new Option(
      '--answers <name=value>',
      'how reviewers answer: delay=100, missing=0.3, wrong=0.1, halfLife=5000, easyAbove=0.8; may be given several times',
    ).argParser(setting),
    new Option('--costs <n>', 'a miss costs n false alarms; methods that can decide by it do').argParser(
      number(0, 1e6),
    ),
    new Option('--escalate <share>', 'pass on what the experts disagree about by more than this').argParser(
      number(0, 1),
    ),
  ]
}

/** The settings of a run that the options stand for; `undefined` when none was given. */
export function peopleOf({ ask, answers, costs, escalate }: PeopleOptions): People | undefined {
  const people: People = {
    ...(ask && { ask }),
    ...(answers && { answers }),
    ...(costs !== undefined && { costs }),
    ...(escalate !== undefined && { escalateAbove: escalate }),
  }
  return Object.keys(people).length > 0 ? people : undefined
}

function ask(text: string): AskingOptions {
  const [strategy, budget = '50', question = 'verdict', ...rest] = text.split(':')
  if (rest.length > 0) throw new InvalidArgumentError('Expected strategy, strategy:n or strategy:n:question.')
  // The names are checked by the asker itself, whose message lists them.
  return { strategy, perThousand: number(0, 1000)(budget), question } as AskingOptions
}
