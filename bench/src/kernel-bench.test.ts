import { createKernel, Random } from '@pb-oel/core'
import { expect, it } from 'vitest'
import { arithmeticVariants, kernelVariants } from './kernel-bench.ts'
import type { Variant } from './measure.ts'
import { PlainKernel } from './plain-kernel.ts'

it('the textbook kernel computes what the fast one does', () => {
  const shape = { experts: 2, channels: 3, nodes: 5, levels: 2, ridge: 0.1, forgetting: 1 }
  const kernels = [new PlainKernel(shape), createKernel(shape)]
  const random = new Random(1, 'test')
  const draw = (length: number) => Float64Array.from({ length }, () => random.between(-1, 1))
  for (let expert = 0; expert < 2; expert++) {
    const [weights, biases] = [draw(15), draw(5)]
    for (const kernel of kernels) kernel.setInputWeights(expert, weights, biases)
  }
  for (let n = 0; n < 100; n++) {
    const [z, targets] = [draw(3), draw(4)]
    for (const kernel of kernels) kernel.forward(z)
    for (let i = 0; i < 4; i++) expect(kernels[0].outputs[i]).toBeCloseTo(kernels[1].outputs[i], 9)
    for (const kernel of kernels) kernel.update(targets)
  }
})

it('all kernels are compared', () => {
  const shape = { experts: 2, channels: 3, nodes: 5, levels: 2, ridge: 0.1, forgetting: 1 }
  const names = (variants: Variant[]) => {
    for (const variant of variants) variant.run()
    return variants.map(({ name }) => name)
  }
  expect(names(kernelVariants(shape))).toEqual(['plain', 'typescript', 'simd'])
  // Not every engine has fused arithmetic.
  const everywhere = ['double', 'single']
  expect([everywhere, [...everywhere, 'fused', 'single fused']]).toContainEqual(names(arithmeticVariants(shape)))
})
