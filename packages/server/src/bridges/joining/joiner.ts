import type { GivenSample, JoinRule } from '@pb-oel/protocol'
import type { Clock } from '../../clock/clock.ts'
import { GroupJoiner } from './group-joiner.ts'
import { LatestJoiner } from './latest-joiner.ts'
import type { Reading } from './reading.ts'

/** Makes samples of the readings of one system. */
export interface Joiner {
  /** Takes a reading; resolves when the sample that holds it is on disk, or was refused for good. */
  add(reading: Reading): Promise<void>
  /** The source of these channels is gone: what they last said does not hold any more. */
  lose(channels: readonly string[]): void
  /** Ends without what is incomplete: its messages were not acknowledged, and come again. */
  end(): void
}

/** What a joiner works with. */
export interface JoinerContext {
  /** Name of the bridge. */
  name: string
  /** The channels of the system. */
  channels: readonly string[]
  clock: Clock
  /** Writes a sample; resolves when it is on disk, or was refused for good. */
  take: (sample: GivenSample) => Promise<void>
  warn: (fields: object, text: string) => void
}

/** The joiner of a rule. */
export function makeJoiner(rule: JoinRule, context: JoinerContext): Joiner {
  if (rule.by === 'latest') return new LatestJoiner(rule, context)
  if (rule.by === 'message') return new MessageJoiner(context)
  return new GroupJoiner({ ...rule, by: rule.by }, context)
}

/** Each reading is a sample. */
class MessageJoiner implements Joiner {
  private readonly context: JoinerContext

  constructor(context: JoinerContext) {
    this.context = context
  }

  async add({ values, at, key }: Reading): Promise<void> {
    const { name, take } = this.context
    await take({ values, ...(at !== undefined && { at }), ...(key !== undefined && { key: `${name}:${key}` }) })
  }

  lose(): void {}

  end(): void {}
}
