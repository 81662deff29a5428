import type { LabelledSample } from './assessor.ts'
import { OptionError } from './errors.ts'
import { integerIn } from './options/checks.ts'
import { isReading } from './pending.ts'

/**
 * A checked copy of the option `warmUp`, labelled samples to start from. A copy, since later changes to the
 * original must not reach a snapshot.
 */
export function checkWarmUp(samples: unknown, channels: number, levels: number): LabelledSample[] {
  if (!Array.isArray(samples)) throw new OptionError('warmUp', samples, 'a list of { x, level }')
  return samples.map((sample: LabelledSample | undefined, i) => {
    const x = sample?.x
    if (!Array.isArray(x) || x.length !== channels || !x.every(isReading)) {
      throw new OptionError(`warmUp[${i}].x`, x, `a list of ${channels} numbers within ±1e100`)
    }
    return { x: x.slice(), level: integerIn(`warmUp[${i}].level`, sample?.level, 0, levels - 1) }
  })
}
