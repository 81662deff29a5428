import type { SystemEvent } from '@pb-oel/protocol'
import { valuesInOrder } from '../fold/complete-sample.ts'
import type { Input } from '../seat/input.ts'

/** Whether an input says the same as the event that its key was first used for. */
export function saysTheSame(input: Input, event: SystemEvent, channels: readonly string[]): boolean {
  if (input.kind === 'sample' && event.kind === 'sample') {
    const { given } = input
    const { values, degraded, at, mode } = event.body
    if (given.at !== at || given.mode !== mode) return false
    const sent = valuesInOrder(channels, given.values)
    return channels.every((name, i) => {
      const value = sent[i]
      const held = degraded?.includes(name) ?? false
      return typeof value === 'number' ? !held && value === values[i] : held
    })
  }
  if (input.kind === 'answer' && (event.kind === 'feedback' || event.kind === 'correction')) {
    const { given } = input
    const { assessment, kind, level, at } = event.body
    return given.assessment === assessment && given.kind === kind && given.level === level && given.at === at
  }
  if (input.kind === 'answer' && event.kind === 'second-opinion') {
    const { given } = input
    const { assessment, kind, level } = event.body
    return given.assessment === assessment && given.kind === kind && given.level === level
  }
  if (input.kind === 'answer' && event.kind === 'abstention') {
    return input.given.kind === 'cannot-tell' && input.given.assessment === event.body.assessment
  }
  if (input.kind === 'comment' && event.kind === 'comment') {
    return input.given.assessment === event.body.assessment && input.given.text === event.body.text
  }
  if (input.kind === 'stretch' && event.kind === 'stretch') {
    return input.given.kind === event.body.kind && input.given.level === event.body.level
  }
  return false
}
