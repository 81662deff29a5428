import { describe, expect, it } from 'vitest'
import { Adwin } from '../drift/adwin.ts'
import { OptionError, UnknownOptionError } from '../errors.ts'
import { createAssessor, METHODS } from '../methods.ts'
import { PbOel } from '../pb-oel/pb-oel.ts'
import { describeOptions } from './describe-options.ts'
import { option } from './option.ts'
import { type OptionsOf, readOptions } from './option-table.ts'

const TABLE = {
  size: option.integer({ from: 1, to: 9, required: true, about: 'How large.' }),
  rate: option.number({ above: 0, to: 1, words: ['adaptive', false], default: 'adaptive', about: 'How fast.' }),
  kind: option.choice(['round', 'square'], { default: 'round', formerly: 'shape', about: 'Which.' }),
  open: option.flag({ otherwise: 'as before', about: 'Whether.' }),
  seed: option.integer({ from: 0, to: Number.MAX_SAFE_INTEGER, default: 1, about: 'Seed.' }),
}

describe('readOptions', () => {
  it('fills in defaults and keeps what is given', () => {
    expect(readOptions(TABLE, { size: 3 })).toEqual({
      size: 3,
      rate: 'adaptive',
      kind: 'round',
      open: undefined,
      seed: 1,
    })
    expect(readOptions(TABLE, { size: 3, rate: false, open: true })).toMatchObject({ rate: false, open: true })
    expect(readOptions(TABLE, { size: 3, rate: undefined, kind: null })).toMatchObject({
      rate: 'adaptive',
      kind: 'round',
    })
  })

  it('takes a former name, but not both', () => {
    expect(readOptions(TABLE, { size: 1, shape: 'square' }).kind).toBe('square')
    expect(() => readOptions(TABLE, { size: 1, shape: 'oval' })).toThrow('option shape is "oval"')
    expect(() => readOptions(TABLE, { size: 1, shape: 'square', kind: 'round' })).toThrow(
      'option shape is "square"; it must be left out where kind is given, whose former name it is',
    )
  })

  it.each([
    [{}, 'option size is missing; it must be an integer in [1, 9]'],
    [{ size: 1.5 }, 'option size is 1.5; it must be an integer in [1, 9]'],
    [{ size: 1, rate: 0 }, 'option rate is 0; it must be adaptive, or false, or a number in (0, 1]'],
    [{ size: 1, rate: 'fast' }, 'option rate is "fast"; it must be adaptive, or false, or a number in (0, 1]'],
    [{ size: 1, kind: 'oval' }, 'option kind is "oval"; it must be one of round, square'],
    [{ size: 1, open: 1 }, 'option open is 1; it must be true or false'],
    [{ size: 1, seed: -1 }, 'option seed is -1; it must be an integer in [0, 2^53 − 1]'],
    [{ sizes: 1 }, 'option sizes is not known; did you mean size?'],
    [{ size: 1, colour: 1 }, 'option colour is not known; there are size, rate, kind, open, seed'],
    [[], 'option options is an array; it must be an object of options'],
  ])('says what is wrong with %j', (given, message) => {
    expect(() => readOptions(TABLE, given)).toThrow(message)
    expect(() => readOptions(TABLE, given)).toThrow(OptionError)
  })

  it('names nested options by their path', () => {
    expect(() => readOptions(TABLE, { size: 0 }, 'part.')).toThrow('option part.size is 0')
    expect(() => readOptions(TABLE, { sise: 0 }, 'part.')).toThrow('option part.sise is not known; did you mean size?')
  })

  it('gives the options a type', () => {
    const options: OptionsOf<typeof TABLE> = { size: 1, rate: 0.5 }
    // @ts-expect-error: size is required
    const missing: OptionsOf<typeof TABLE> = { rate: 'adaptive' }
    // @ts-expect-error: not one of the words
    const word: OptionsOf<typeof TABLE> = { size: 1, rate: 'fast' }
    expect([options, missing, word]).toHaveLength(3)
  })
})

describe('the options of the product', () => {
  it('a misspelt option of any method is refused with a suggestion', () => {
    for (const { name, levels = 3 } of METHODS) {
      const make = () => createAssessor(name, { channels: 2, levels }, { warmup: [] })
      expect(make).toThrow(UnknownOptionError)
      expect(make).toThrow('option warmup is not known; did you mean warmUp?')
    }
  })

  it('every option has a sentence, and a default, words for it, or none on purpose', () => {
    for (const method of METHODS) {
      for (const { name, about, required, otherwise, default: value } of describeOptions(method)) {
        expect(about, `${method.name} ${name}`).toMatch(/^\S.*\.$/)
        const stated = required === true || otherwise !== undefined || value !== undefined
        expect(stated || name === 'horizon', `${method.name} ${name}`).toBe(true)
      }
    }
  })

  it('defaults pass their own checks', () => {
    for (const method of METHODS) {
      for (const [name, { default: value, check }] of Object.entries(method.options)) {
        if (value !== undefined) expect(check(name, value)).toBe(value)
      }
    }
  })

  it('a description is data: it survives JSON', () => {
    for (const method of METHODS) {
      const described = describeOptions(method)
      expect(JSON.parse(JSON.stringify(described))).toEqual(described)
    }
  })

  it('the former name `experts` makes the same networks, and snapshots keep what was given', () => {
    const task = { channels: 2, levels: 2 }
    const former = createAssessor('pb-oel', task, { experts: 3, nodes: 2, groups: 1 })
    const present = createAssessor('pb-oel', task, { networks: 3, nodes: 2, groups: 1 })
    const x = Float64Array.of(0.3, -1)
    expect(former.assess(x)).toEqual(present.assess(x))
    expect(Buffer.from(former.snapshot()).toString('latin1')).toContain('"experts":3')
    expect(PbOel.restore(former.snapshot()).shares).toHaveLength(3)
  })

  it('checks what depends on another option', () => {
    expect(() => new Adwin({ delta: 2 })).toThrow('option delta is 2; it must be a number in (0, 1]')
    expect(() => new PbOel({ channels: 2, levels: 2, networks: 0 })).toThrow('option networks is 0')
  })
})
