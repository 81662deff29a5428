/**
 * Entries that options may name. A method knows what its defaults need; `methods.ts` adds everything else that is built
 * in. So an app that imports one method does not download every detector, learner and precision, and all names work
 * wherever
 * `createAssessor` is used, or core is not bundled at all.
 */
export class Catalogue<E extends { readonly name: string }> {
  private readonly entries: E[]

  constructor(...entries: E[]) {
    this.entries = entries
  }

  /** The names that may stand in options. */
  get names(): string[] {
    return this.entries.map(({ name }) => name)
  }

  /** Adds entries; those that are there already stay where they are. */
  add(entries: readonly E[]): void {
    this.entries.push(...entries.filter((entry) => !this.entries.includes(entry)))
  }

  /**
   * The entry of a name, or undefined when there is none.
   *
   * @param extensions entries from outside, by the name they go by; they win
   */
  find(name: unknown, extensions: Readonly<Record<string, E>> = {}): E | undefined {
    if (typeof name === 'string' && Object.hasOwn(extensions, name)) return extensions[name]
    return this.entries.find((entry) => entry.name === name)
  }
}
