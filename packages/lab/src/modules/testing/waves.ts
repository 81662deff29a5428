import { defineStream, option, readOptions } from '@pb-oel/core'

const OPTIONS = {
  samples: option.integer({ from: 1, to: 1e9, default: 1000, about: 'Number of samples.' }),
  seed: option.integer({ from: 0, to: 1e9, default: 1, about: 'Phase of the second wave.' }),
}

/** A stream from outside: two waves; the level says which is higher. */
export default defineStream({
  name: 'waves',
  summary: 'two waves: 2 channels, 2 levels',
  options: OPTIONS,
  create(given = {}) {
    const { samples, seed } = readOptions(OPTIONS, given)
    return {
      name: 'waves',
      channels: ['first', 'second'],
      levels: ['first is higher', 'second is higher'],
      samples,
      *[Symbol.iterator]() {
        const sample = { x: new Float64Array(2), level: 0 }
        for (let t = 0; t < samples; t++) {
          sample.x[0] = Math.sin(t / 20)
          sample.x[1] = Math.sin(t / 33 + seed)
          sample.level = sample.x[0] > sample.x[1] ? 0 : 1
          yield sample
        }
      },
    }
  },
})
