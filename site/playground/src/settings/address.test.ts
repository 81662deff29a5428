import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromAddress, toAddress } from './address.ts'
import { DEFAULTS, DELAY_LAWS, type Settings } from './settings.ts'

const options = fc.dictionary(
  fc.stringMatching(/^[a-z][a-zA-Z]{0,8}$/),
  fc.oneof(fc.boolean(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string()),
)
const method = fc.record({ name: fc.stringMatching(/^[a-z][a-z-]{0,12}$/), options }, { noNullPrototype: true })
const share = fc.double({ min: 0, max: 1, noNaN: true })
const settings: fc.Arbitrary<Settings> = fc.record(
  {
    stream: fc.stringMatching(/^[a-z]+(:seed=\d,samples=\d{3})?$/),
    methods: fc.array(method, { minLength: 1, maxLength: 2 }),
    seed: fc.nat(),
    reviewer: fc.record({
      by: fc.constantFrom('simulated', 'me'),
      rho: share,
      delay: fc.nat(1000),
      law: fc.constantFrom(...DELAY_LAWS),
      missing: share,
      wrong: share,
      every: fc.integer({ min: 1, max: 10_000 }),
      others: fc.boolean(),
    }),
  },
  { noNullPrototype: true },
)

describe('the address of the playground', () => {
  it('gives back any settings', () => {
    fc.assert(
      fc.property(settings, (given) => {
        // JSON does not know −0.
        const plain: Settings = JSON.parse(JSON.stringify(given))
        expect(fromAddress(`#${toAddress(plain)}`)).toEqual(plain)
      }),
    )
  })

  it('gives back the columns of a file', () => {
    const file = { name: 'a b.csv', level: 'state & more', dropped: ['time', 'x=y'], missing: 'mean' } as const
    const given = { ...DEFAULTS, file }
    expect(fromAddress(toAddress(given))).toEqual({ ...given, stream: DEFAULTS.stream })
  })

  it('is short for the defaults, and takes anything', () => {
    expect(toAddress(DEFAULTS)).toBe('stream=dive&method=pb-oel')
    expect(fromAddress('')).toEqual(DEFAULTS)
    expect(fromAddress('#rho=7&delay=-3&law=none&seed=x&by=nobody')).toEqual(DEFAULTS)
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(fromAddress(text).methods.length).toBeGreaterThan(0)
      }),
    )
  })
})
