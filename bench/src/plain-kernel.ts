import type { RvflShape } from '@pb-oel/core'

/**
 * The RVFL networks as a textbook writes them: full matrices, one loop per formula, no forgetting. What the kernel is
 * compared with.
 */
export class PlainKernel {
  readonly outputs: Float64Array
  private readonly shape: RvflShape
  private readonly size: number
  private readonly networks: {
    weights: Float64Array
    biases: Float64Array
    h: Float64Array
    p: Float64Array
    w: Float64Array
  }[]

  constructor(shape: RvflShape) {
    const { experts, channels, nodes, levels, ridge } = shape
    const size = channels + nodes
    this.shape = shape
    this.size = size
    this.outputs = new Float64Array(experts * levels)
    this.networks = Array.from({ length: experts }, () => {
      const p = new Float64Array(size * size)
      for (let i = 0; i < size; i++) p[i * size + i] = 1 / ridge
      const [weights, biases] = [new Float64Array(channels * nodes), new Float64Array(nodes)]
      return { weights, biases, h: new Float64Array(size), p, w: new Float64Array(size * levels) }
    })
  }

  setInputWeights(expert: number, weights: Float64Array, biases: Float64Array): void {
    this.networks[expert].weights.set(weights)
    this.networks[expert].biases.set(biases)
  }

  forward(z: Float64Array): void {
    const { shape, size, outputs } = this
    const { channels, nodes, levels } = shape
    this.networks.forEach(({ weights, biases, h, w }, n) => {
      h.set(z)
      for (let l = 0; l < nodes; l++) {
        let sum = biases[l]
        for (let c = 0; c < channels; c++) sum += z[c] * weights[c * nodes + l]
        h[channels + l] = 1 / (1 + Math.exp(-sum))
      }
      for (let k = 0; k < levels; k++) {
        let sum = 0
        for (let i = 0; i < size; i++) sum += h[i] * w[i * levels + k]
        outputs[n * levels + k] = sum
      }
    })
  }

  update(targets: Float64Array): void {
    const { shape, size, outputs } = this
    const { levels } = shape
    const k = new Float64Array(size)
    this.networks.forEach(({ h, p, w }, n) => {
      let s = 1
      for (let i = 0; i < size; i++) {
        let sum = 0
        for (let j = 0; j < size; j++) sum += p[i * size + j] * h[j]
        k[i] = sum
        s += h[i] * sum
      }
      for (let i = 0; i < size; i++) {
        for (let j = 0; j < size; j++) p[i * size + j] -= (k[i] * k[j]) / s
        for (let c = 0; c < levels; c++) {
          w[i * levels + c] += (k[i] / s) * (targets[n * levels + c] - outputs[n * levels + c])
        }
      }
    })
  }
}
