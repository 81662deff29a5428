import type { SystemFold } from '../fold/system-fold.ts'

/**
 * What a caller wants to know of a system: a pure function of its state, known by name, because the state may be in
 * another thread. Its arguments and its result are plain data. The result must not change with the state afterwards, so
 * a view copies whatever the fold changes in place.
 */
export interface View<T> {
  readonly name: string
  readonly args: readonly unknown[]
  /** What it shows of a state in this thread. */
  look(state: SystemFold): T
}

type Look = (state: SystemFold, ...args: never[]) => unknown

const looks = new Map<string, Look>()

/** Names a view. Its file must be one of `all-views.ts`, so that every thread knows it. */
export function defineView<A extends unknown[], T>(
  name: string,
  look: (state: SystemFold, ...args: A) => T,
): (...args: A) => View<T> {
  if (looks.has(name)) throw new Error(`there are two views named ${name}`)
  looks.set(name, look as unknown as Look)
  return (...args) => ({ name, args, look: (state) => look(state, ...args) })
}

/** What a view shows that another thread asks for by name. */
export function lookByName(state: SystemFold, name: string, args: readonly unknown[]): unknown {
  const look = looks.get(name)
  if (!look) throw new Error(`there is no view named ${name}: all-views.ts does not import its file`)
  return look(state, ...(args as never[]))
}
