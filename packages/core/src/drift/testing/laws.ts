import { expect, it } from 'vitest'
import { Random } from '../../math/random.ts'
import { StateReader, StateWriter } from '../../state/state-io.ts'
import type { DriftDetector } from '../detector.ts'

/** What every detector keeps: the same values give the same signals, a saved state goes on as the original, a reset forgets. */
export function detectorLaws(make: () => DriftDetector, kind: 'deterministic' | 'random' = 'deterministic'): void {
  // Errors at 20 %, 70 % and 10 % in turn: every branch of a detector sees something.
  const random = new Random(7, 'law')
  const values = Array.from({ length: 3000 }, (_, i) =>
    random.uniform() < [0.2, 0.7, 0.1][Math.floor(i / 500) % 3] ? 1 : 0,
  )

  it('goes on from a saved state as if nothing had happened', () => {
    const original = make()
    const copies: DriftDetector[] = []
    values.forEach((value, i) => {
      if (i % 371 === 5) {
        const writer = new StateWriter()
        original.transfer(writer)
        const reader = new StateReader(writer.finish())
        const copy = make()
        copy.update(1)
        copy.transfer(reader)
        reader.end()
        copies.push(copy)
      }
      const signal = original.update(value)
      for (const copy of copies) if (copy.update(value) !== signal) expect.fail(`signals differ at ${i}`)
    })
    expect(copies.length).toBeGreaterThan(5)
  })

  it('sees the changes of the error rate, and sees them again after a reset', () => {
    const detector = make()
    const signals = values.map((value) => detector.update(value))
    expect(signals).toContain('drift')
    detector.reset()
    const again = values.map((value) => detector.update(value))
    // A detector that draws goes on in its stream of random numbers; the others repeat themselves.
    if (kind === 'random') expect(again).toContain('drift')
    else expect(again).toEqual(signals)
  })
}
