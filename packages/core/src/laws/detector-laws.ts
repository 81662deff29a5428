import type { DriftDetector } from '../drift/detector.ts'
import { Random } from '../math/random.ts'
import { copyState, holds, type Law } from './law.ts'

/** A detector under test. */
export interface DetectorSubject {
  create(): DriftDetector
  /** Whether it draws random numbers: after a reset it then goes on in their stream and need not repeat itself. */
  readonly draws?: boolean
}

/**
 * The laws that every detector keeps.
 *
 * @example
 * import { HddmA } from '@pb-oel/core/drift'
 * import { detectorLaws } from '@pb-oel/core/laws'
 * for (const law of detectorLaws({ create: () => new HddmA() })) law.check()
 */
export function detectorLaws(subject: DetectorSubject): Law[] {
  return [
    { name: 'the same values give the same signals', check: () => sameSignals(subject) },
    { name: 'goes on from a saved state as if nothing had happened', check: () => stateIsComplete(subject) },
    {
      name: 'sees the changes of the error rate, and sees them again after a reset',
      check: () => resetForgets(subject),
    },
  ]
}

/** Errors at 20 %, 70 % and 10 % in turn: every branch of a detector sees something. */
function errors(): number[] {
  const random = new Random(7, 'law')
  return Array.from({ length: 3000 }, (_, i) => (random.uniform() < [0.2, 0.7, 0.1][Math.floor(i / 500) % 3] ? 1 : 0))
}

function sameSignals({ create }: DetectorSubject): void {
  const [one, other] = [create(), create()]
  errors().forEach((value, i) => {
    holds(one.update(value) === other.update(value), `signals differ at value ${i}`)
  })
}

function stateIsComplete({ create }: DetectorSubject): void {
  const original = create()
  const copies: DriftDetector[] = []
  errors().forEach((value, i) => {
    if (i % 371 === 5) {
      const used = create()
      used.update(1)
      copies.push(copyState(original, used))
    }
    const signal = original.update(value)
    for (const copy of copies) holds(copy.update(value) === signal, `signals differ at value ${i}`)
  })
}

function resetForgets({ create, draws }: DetectorSubject): void {
  const detector = create()
  const values = errors()
  const signals = values.map((value) => detector.update(value))
  holds(signals.includes('drift'), 'it never signals drift')
  detector.reset()
  const again = values.map((value) => detector.update(value))
  holds(again.includes('drift'), 'it never signals drift after a reset')
  if (!draws)
    holds(
      again.every((signal, i) => signal === signals[i]),
      'after a reset the signals differ',
    )
}
