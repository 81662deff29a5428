import { SetupError } from '../../errors.ts'

/** Names that a pattern took out of a topic. */
export type Captures = Readonly<Record<string, string>>

/**
 * A pattern of topics. `+` stands for one level, `{name}` for one level that is remembered, `#` at the end for all that
 * follow.
 */
export class TopicPattern {
  private readonly levels: readonly string[]
  /** The names that it remembers. */
  readonly names: readonly string[]

  constructor(pattern: string) {
    this.levels = pattern.split('/')
    const wrong = this.levels.find((level, i) => {
      const last = i === this.levels.length - 1
      return (
        (/[+{}]/.test(level) && level !== '+' && !NAME.test(level)) || (level.includes('#') && !(level === '#' && last))
      )
    })
    if (wrong !== undefined) {
      throw new SetupError(
        `topic ${JSON.stringify(pattern)}: ${JSON.stringify(wrong)} should be +, {name}, # at the end, or a plain name`,
      )
    }
    this.names = this.levels.flatMap((level) => NAME.exec(level)?.[1] ?? [])
  }

  /** The same as a filter that an MQTT broker knows. */
  get filter(): string {
    return this.levels.map((level) => (NAME.test(level) ? '+' : level)).join('/')
  }

  /** What it takes out of a topic; `undefined` where the topic is another one. */
  match(topic: string): Captures | undefined {
    const given = topic.split('/')
    const open = this.levels.at(-1) === '#'
    const fixed = open ? this.levels.length - 1 : this.levels.length
    if (open ? given.length < fixed : given.length !== fixed) return undefined
    const captures: Record<string, string> = Object.create(null)
    for (let i = 0; i < fixed; i++) {
      const level = this.levels[i]
      const name = NAME.exec(level)?.[1]
      if (name !== undefined) captures[name] = given[i]
      else if (level !== '+' && level !== given[i]) return undefined
    }
    return captures
  }
}

const NAME = /^\{(\w+)\}$/
