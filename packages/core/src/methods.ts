import type { Assessor } from './assessor.ts'
import { DETECTORS } from './drift/detectors.ts'
import { KNOWN_DETECTORS } from './drift/known-detectors.ts'
import { OptionError, SnapshotError } from './errors.ts'
import { KNOWN_LEARNERS } from './learners/known-learners.ts'
import { LEARNERS } from './learners/learners.ts'
import type { Extensions, Method, Task } from './method.ts'
import { PB_OEL, PB_OEL_SCALED, PB_OEL_STANDARD } from './pb-oel/pb-oel.ts'
import { PB_OEL_PLUS } from './pb-oel-plus/pb-oel-plus.ts'
import { ARF } from './rivals/arf.ts'
import { CPSSDS } from './rivals/cpssds/cpssds.ts'
import { FLIP } from './rivals/flip.ts'
import { MAJORITY } from './rivals/majority.ts'
import { NO_CHANGE } from './rivals/no-change.ts'
import { OADAC2 } from './rivals/oadac2/oadac2.ts'
import { OB_ADWIN } from './rivals/ob-adwin.ts'
import { ROALE_DI } from './rivals/roale-di/roale-di.ts'
import { RVFL, RVFL_HDDM_NP } from './rivals/rvfl-single.ts'
import { SRP } from './rivals/srp/srp.ts'
import { KNOWN_PRECISIONS } from './rvfl/kernel/known-precisions.ts'
import { SINGLE_PRECISION } from './rvfl/kernel/single-precision.ts'
import { openSnapshot } from './state/snapshot.ts'

// Whoever names methods may name every detector, learner and precision, too.
KNOWN_DETECTORS.add(DETECTORS)
KNOWN_LEARNERS.add(LEARNERS)
KNOWN_PRECISIONS.add([SINGLE_PRECISION])

/** Every method, in the order of the paper's table, PB-OEL and its precursors first. */
export const METHODS: readonly Method[] = [
  PB_OEL,
  PB_OEL_PLUS,
  PB_OEL_STANDARD,
  PB_OEL_SCALED,
  RVFL,
  RVFL_HDDM_NP,
  OB_ADWIN,
  OADAC2,
  CPSSDS,
  ARF,
  SRP,
  ROALE_DI,
  NO_CHANGE,
  MAJORITY,
  FLIP,
]

/**
 * Makes an assessor by the name of its method.
 *
 * @param options the method's own; `describeOptions(findMethod(method))` lists them
 * @param extensions methods, detectors and learners from outside
 *
 * @example
 * import { createAssessor } from '@pb-oel/core'
 * const assessor = createAssessor('rvfl', { channels: 24, levels: 3, seed: 1 })
 * assessor.levels // 3
 */
export function createAssessor(
  method: string,
  task: Task,
  options: Readonly<Record<string, unknown>> = {},
  extensions?: Extensions,
): Assessor {
  return findMethod(method, extensions).create(task, options, extensions)
}

/** The entry of a method; an {@link OptionError} lists the names when there is none. */
export function findMethod(name: string, extensions?: Extensions): Method {
  const own = extensions?.methods
  if (own && Object.hasOwn(own, name)) return own[name]
  const method = METHODS.find((method) => method.name === name)
  if (method) return method
  throw new OptionError('method', name, `one of ${METHODS.map((method) => method.name).join(', ')}`)
}

/**
 * Makes an assessor from any snapshot; it goes on with the same bits.
 *
 * @param extensions what the assessor was made with from outside, under the same names
 */
export function restoreAssessor(bytes: Uint8Array, extensions?: Extensions): Assessor {
  return methodOf(bytes, extensions).restore(bytes, extensions)
}

/**
 * A copy of an assessor with one level more, behind the others: the least safe. Everything learned stays, and so do the
 * assessments whose answers may still come. Nothing is known of the new level until an answer names it.
 *
 * @param extensions what the assessor was made with from outside, under the same names
 *
 * @example
 * import { addLevel, createAssessor } from '@pb-oel/core'
 * const assessor = createAssessor('pb-oel-plus', { channels: 1, levels: 2 })
 * for (let t = 0; t < 100; t++) assessor.learn(assessor.assess(Float64Array.of(t % 2)).id, { kind: 'label', level: t % 2 })
 * const wider = addLevel(assessor)
 * wider.levels // 3
 * wider.assess(Float64Array.of(1)).level // 1
 */
export function addLevel(assessor: Assessor, extensions?: Extensions): Assessor {
  const bytes = assessor.snapshot()
  const method = methodOf(bytes, extensions)
  if (!method.widen) {
    const able = METHODS.filter(({ widen }) => widen).map(({ name }) => name)
    throw new OptionError('method', method.name, `a method that can take another level: ${able.join(', ')}`)
  }
  if (openSnapshot(bytes).options.costs !== undefined) {
    throw new OptionError('costs', 'a matrix', 'left out: it says nothing about a level more')
  }
  try {
    return method.widen(bytes, extensions)
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error
    throw new OptionError('members', 'from outside', 'learners that name their numbers per level (StateIo.perLevel)')
  }
}

/** The entry of the method that wrote a snapshot. */
function methodOf(bytes: Uint8Array, extensions?: Extensions): Method {
  const { method: name } = openSnapshot(bytes)
  const own = Object.values(extensions?.methods ?? {})
  const method = [...METHODS, ...own].find((method) => method.name === name) ?? extensions?.methods?.[name]
  if (!method) {
    throw new SnapshotError(`snapshot of ${name}, which is neither a built-in method nor among the given extensions`)
  }
  return method
}
