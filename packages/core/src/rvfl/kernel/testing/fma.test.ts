import { describe, expect, it } from 'vitest'
import { Random } from '../../../math/random.ts'
import { fusedWorks } from '../fused.ts'
import { PROBE_WASM } from '../probe.wasm.ts'
import { fromHex } from '../web-assembly.ts'
import { exactFma } from './exact-fma.ts'
import { fma, fmaSingle } from './fma.ts'

describe('exactFma', () => {
  it('rounds once, to the nearest, ties to even', () => {
    expect(exactFma(3, 4, 5)).toBe(17)
    expect(exactFma(1 + 2 ** -30, 1 + 2 ** -30, -(1 + 2 ** -29))).toBe(2 ** -60)
    // 1 + 2^−53 lies in the middle: to even. A little more goes up.
    expect(exactFma(2 ** -53, 1, 1)).toBe(1)
    expect(exactFma(2 ** -53, 1 + 2 ** -52, 1)).toBe(1 + 2 ** -52)
    expect(exactFma(2 ** -53, 3, 1)).toBe(1 + 2 ** -51)
  })

  it('reaches the smallest and the largest numbers', () => {
    expect(exactFma(2 ** -540, 2 ** -534, 0)).toBe(2 ** -1074)
    expect(exactFma(2 ** -540, 2 ** -535, 0)).toBe(0)
    expect(exactFma(2 ** -540, 2 ** -535, 2 ** -1074)).toBe(2 ** -1073)
    expect(exactFma(2 ** 600, 2 ** 600, -1)).toBe(Infinity)
    expect(exactFma(1, -1, 1)).toBe(0)
    expect(Object.is(exactFma(-1, 0, -0), -0)).toBe(true)
  })
})

/** Numbers of all signs and sizes within 2^±range; the third often cancels most of the product. */
function* triples(count: number, range: number, round = (value: number) => value) {
  const random = new Random(21, 'triples')
  const draw = () => round(random.between(-2, 2) * 2 ** random.between(-range, range))
  for (let i = 0; i < count; i++) {
    const [a, b] = [draw(), draw()]
    const near = round(-a * b * (1 + (random.integer(9) - 4) * 2 ** -random.integer(60)))
    yield [a, b, i % 2 === 0 ? near : draw()] as const
  }
}

describe('fma', () => {
  it('is a·b + c rounded once, as fractions of integers say', () => {
    for (const range of [1, 10, 40, 500]) {
      for (const [a, b, c] of triples(20_000, range)) {
        if (Object.is(fma(a, b, c), exactFma(a, b, c))) continue
        throw new Error(`fma(${a}, ${b}, ${c}) is ${fma(a, b, c)}, not ${exactFma(a, b, c)}`)
      }
    }
  })
})

describe.runIf(fusedWorks())('the processor (needs multiply–add that rounds once)', () => {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(fromHex(PROBE_WASM))))
  const instruction = (name: string) => exports[name] as (a: number, b: number, c: number) => number

  it('fuses as fma does', () => {
    const [multiplyAdd, subtractProduct] = [instruction('multiplyAdd'), instruction('subtractProduct')]
    for (const [a, b, c] of triples(100_000, 40)) {
      expect(multiplyAdd(a, b, c)).toBe(fma(a, b, c))
      expect(subtractProduct(a, b, c)).toBe(fma(-a, b, c))
    }
  })

  it('fuses as fmaSingle does', () => {
    const [multiplyAdd, subtractProduct] = [instruction('multiplyAddSingle'), instruction('subtractProductSingle')]
    for (const [a, b, c] of triples(100_000, 30, Math.fround)) {
      expect(multiplyAdd(a, b, c)).toBe(fmaSingle(a, b, c))
      expect(subtractProduct(a, b, c)).toBe(fmaSingle(-a, b, c))
    }
  })
})
