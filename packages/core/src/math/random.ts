import { log } from './elementary.ts'

/**
 * Counter-based random numbers: Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
 *
 * The k-th number of a stream is a pure function of (seed, stream name, k). So streams with different names are
 * independent whatever order they are read in, and the whole state of a generator is one integer, `position`.
 *
 * @example
 * import { Random } from '@pb-oel/core'
 * const actions = new Random(1, 'actions')
 * actions.uniform() // the same number in every engine
 */
export class Random {
  /** How many numbers have been drawn, 0 … 2^53. Assign to go back or ahead. */
  position = 0
  private readonly key0: number
  private readonly key1: number
  private readonly seedHigh: number
  private readonly block = new Uint32Array(4)
  private blockIndex = -1

  /**
   * @param seed integer in 0 … 2^53 − 1
   * @param stream name of the stream, such as `weights` or `actions`
   */
  constructor(seed: number, stream: string) {
    this.key0 = seed >>> 0
    this.seedHigh = Math.floor(seed / 2 ** 32) >>> 0
    this.key1 = fnv1a(stream)
  }

  /** Uniform on [0, 1) with 53 random bits. */
  uniform(): number {
    const position = this.position++
    const index = Math.floor(position / 2)
    const block = this.block
    if (index !== this.blockIndex) {
      philox(block, index >>> 0, Math.floor(index / 2 ** 32) >>> 0, this.seedHigh, 0, this.key0, this.key1)
      this.blockIndex = index
    }
    const half = (position % 2) * 2
    return ((block[half] >>> 5) * 67108864 + (block[half + 1] >>> 6)) / 9007199254740992
  }

  /** Uniform on (0, 1): never 0, so that its logarithm is finite. */
  positive(): number {
    return this.uniform() || 2 ** -54
  }

  /** Uniform on [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.uniform()
  }

  /** Uniform on 0 … n − 1. */
  integer(n: number): number {
    return Math.floor(this.uniform() * n)
  }

  /** Standard normal, by inversion: exactly one uniform is drawn. */
  normal(): number {
    return normalQuantile(this.positive())
  }
}

/** One block of Philox4x32-10: counter (c0 … c3) and key (k0, k1) to four words in `out`. */
export function philox(out: Uint32Array, c0: number, c1: number, c2: number, c3: number, k0: number, k1: number): void {
  for (let round = 0; round < 10; round++) {
    const high0 = multiplyHigh(0xd2511f53, c0)
    const low0 = Math.imul(0xd2511f53, c0)
    const high1 = multiplyHigh(0xcd9e8d57, c2)
    const low1 = Math.imul(0xcd9e8d57, c2)
    c0 = high1 ^ c1 ^ k0
    c1 = low1
    c2 = high0 ^ c3 ^ k1
    c3 = low0
    k0 = (k0 + 0x9e3779b9) | 0
    k1 = (k1 + 0xbb67ae85) | 0
  }
  out[0] = c0
  out[1] = c1
  out[2] = c2
  out[3] = c3
}

/** Upper 32 bits of the 64-bit product of two unsigned 32-bit integers. */
function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff
  const aHigh = a >>> 16
  const bLow = b & 0xffff
  const bHigh = b >>> 16
  const middle = Math.imul(aHigh, bLow) + (Math.imul(aLow, bLow) >>> 16)
  const cross = Math.imul(aLow, bHigh) + (middle & 0xffff)
  return (Math.imul(aHigh, bHigh) + (middle >>> 16) + (cross >>> 16)) | 0
}

/** FNV-1a over the UTF-16 units of a name: a 32-bit key for a stream. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

const CENTRE_P = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
  33430.57558358813, 2509.0809287301227,
]
const CENTRE_Q = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943,
  5226.495278852854,
]
const MIDDLE_P = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
  0.022723844989269184, 0.0007745450142783414,
]
const MIDDLE_Q = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
  0.0005475938084995345, 1.0507500716444169e-9,
]
const TAIL_P = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
  0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
]
const TAIL_Q = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5,
  1.421511758316446e-7, 2.0442631033899397e-15,
]

/** Φ⁻¹(p) for p in (0, 1), relative error about 1e-16 (Wichura, Algorithm AS 241, Applied Statistics 37, 1988). */
export function normalQuantile(p: number): number {
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) return q * ratio(CENTRE_P, CENTRE_Q, 0.180625 - q * q)
  const r = Math.sqrt(-log(q < 0 ? p : 1 - p))
  const value = r <= 5 ? ratio(MIDDLE_P, MIDDLE_Q, r - 1.6) : ratio(TAIL_P, TAIL_Q, r - 5)
  return q < 0 ? -value : value
}

function ratio(p: number[], q: number[], x: number): number {
  let above = p[7]
  let below = q[7]
  for (let i = 6; i >= 0; i--) {
    above = above * x + p[i]
    below = below * x + q[i]
  }
  return above / below
}
