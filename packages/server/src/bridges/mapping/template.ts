import { InvalidRequest, SetupError } from '../../errors.ts'
import { follow, pointerParts } from './json-pointer.ts'
import type { Captures } from './topic-pattern.ts'

const PLACE = /\{([^{}]*)\}/g

/** A text with places for what a topic or a message says: `line-{line}`, `{/device/name}`. */
export class Template {
  private readonly text: string

  /** @param names what `{name}` may stand for */
  constructor(text: string, names: readonly string[]) {
    this.text = text
    for (const [place, name] of text.matchAll(PLACE)) {
      if (name.startsWith('/') || names.includes(name)) continue
      const known = names.length === 0 ? 'the topic remembers no names' : `the topic remembers ${names.join(', ')}`
      throw new SetupError(`${JSON.stringify(text)}: there is nothing that ${place} stands for; ${known}`)
    }
  }

  fill(captures: Captures, message: unknown): string {
    if (!this.text.includes('{')) return this.text
    return this.text.replace(PLACE, (place, name: string) => {
      if (!name.startsWith('/')) return captures[name]
      const found = follow(message, pointerParts(name))
      if (typeof found === 'string' || typeof found === 'number') return String(found)
      throw new InvalidRequest(`message: expected a text or a number for ${place}`)
    })
  }
}
