/**
 * The RVFL kernel in single precision. What network.ts and double.ts say holds here too; a tile of U is 4 rows × 4
 * columns = 64 bytes, so that a panel is a row of tiles and its diagonal block is one of them.
 */

import {
  diagonal,
  diagonalLimit,
  experts,
  factor,
  features,
  forgetting,
  gain,
  inputWeights,
  levels,
  nodePanels,
  outputs,
  outputWeights,
  stride,
  width,
} from './arena'
import { learn, nodes, pad } from './network'
import { madd, nmadd } from './rounding'

export { configure } from './arena'

/** Features and outputs of networks first … last − 1. */
export function forward(first: i32, last: i32): void {
  for (let expert = first; expert < last; expert++) {
    const start = experts + <usize>expert * stride
    const at = nodes<f32>(start + inputWeights, start + features)
    logistic(at, at + <usize>nodePanels * 64)
    pad<f32>(start + features)
    output(start + features, start + outputWeights, outputs + <usize>(expert * levels) * 4)
  }
}

/** One update of networks first … last − 1. */
export function update(first: i32, last: i32): void {
  for (let expert = first; expert < last; expert++) {
    const start = experts + <usize>expert * stride
    const s = factorUpdate(start + factor, start + features, start + gain, start + diagonal)
    learn<f32>(start + outputWeights, start + gain, <usize>(expert * levels) * 4, s)
  }
}

/** 0 … 5: limits, 1/ln 2, 1.5 · 2^23, ln 2 in two parts; 6 … 12: 1/7! … 1/2!, 1. */
const constants = memory.data<f32>([
  87.0,
  -87.0,
  Mathf.LOG2E,
  12582912.0,
  0.693359375,
  -0.00021219444005469057,
  1.0 / 5040.0,
  1.0 / 720.0,
  1.0 / 120.0,
  1.0 / 24.0,
  1.0 / 6.0,
  0.5,
  1.0,
])

/** Constant number i in all lanes. */
function constant(i: usize): v128 {
  return v128.load32_splat(constants + i * 4)
}

/** Replaces everything from `at` to `end` by its σ, 32 bytes at a time. */
function logistic(at: usize, end: usize): void {
  const exponentBias = i32x4.splat(127 << 23)
  while (at < end) {
    const high = constant(0)
    const low = constant(1)
    const x0 = f32x4.pmin(f32x4.pmax(f32x4.neg(v128.load(at, 0)), low), high)
    const x1 = f32x4.pmin(f32x4.pmax(f32x4.neg(v128.load(at, 16)), low), high)
    let c = constant(2)
    const round = constant(3)
    // The integer k is in the lowest bits of t = 1.5 · 2^23 + k.
    const t0 = madd<f32>(x0, c, round)
    const t1 = madd<f32>(x1, c, round)
    const k0 = f32x4.sub(t0, round)
    const k1 = f32x4.sub(t1, round)
    c = constant(4)
    let r0 = nmadd<f32>(k0, c, x0)
    let r1 = nmadd<f32>(k1, c, x1)
    c = constant(5)
    r0 = nmadd<f32>(k0, c, r0)
    r1 = nmadd<f32>(k1, c, r1)
    const first = constant(6)
    c = constant(7)
    let p0 = madd<f32>(first, r0, c)
    let p1 = madd<f32>(first, r1, c)
    c = constant(8)
    p0 = madd<f32>(p0, r0, c)
    p1 = madd<f32>(p1, r1, c)
    c = constant(9)
    p0 = madd<f32>(p0, r0, c)
    p1 = madd<f32>(p1, r1, c)
    c = constant(10)
    p0 = madd<f32>(p0, r0, c)
    p1 = madd<f32>(p1, r1, c)
    c = constant(11)
    p0 = madd<f32>(p0, r0, c)
    p1 = madd<f32>(p1, r1, c)
    c = constant(12)
    p0 = madd<f32>(p0, r0, c)
    p1 = madd<f32>(p1, r1, c)
    p0 = madd<f32>(p0, r0, c)
    p1 = madd<f32>(p1, r1, c)
    v128.store(at, f32x4.div(c, madd<f32>(p0, i32x4.add(i32x4.shl(t0, 23), exponentBias), c)), 0)
    v128.store(at, f32x4.div(c, madd<f32>(p1, i32x4.add(i32x4.shl(t1, 23), exponentBias), c)), 16)
    at += 32
  }
}

/** ŷ = hᵀW. */
function output(h: usize, weights: usize, out: usize): void {
  const end = h + <usize>width * 4
  let w = weights
  for (let k = 0; k < levels; k++) {
    let s = f32x4.splat(0)
    for (let i = h; i < end; i += 16) {
      s = madd<f32>(v128.load(i), v128.load(w), s)
      w += 16
    }
    s = f32x4.add(s, v128.shuffle<f32>(s, s, 2, 3, 2, 3))
    store<f32>(out, f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1))
    out += 4
  }
}

/** U, D and k; returns s. One loop updates a panel and multiplies the next one with h, as in double precision. */
function factorUpdate(u: usize, h: usize, gain: usize, d: usize): f32 {
  const bytes = <usize>width * 4
  const forget = f32x4.splat(<f32>forgetting)
  const limit = f32x4.splat(<f32>diagonalLimit)
  const shift = h - gain
  const zero = f32x4.splat(0)
  // α behind each of the four columns in hand; the last one counts.
  let after = forget
  // The panel to update, with γ and λ of its columns, and the panel to multiply.
  let old = u
  let next = u
  let g0 = zero
  let g1 = zero
  let g2 = zero
  let g3 = zero
  let l0 = zero
  let l1 = zero
  let l2 = zero
  let l3 = zero
  for (let row: usize = 0; row < bytes; row += 16) {
    const block = next + (row << 2)
    const end = gain + row
    let x = v128.load(end + shift)
    let a0 = f32x4.mul(v128.load(block, 0), x)
    let a1 = f32x4.mul(v128.load(block, 16), x)
    let a2 = f32x4.mul(v128.load(block, 32), x)
    let a3 = f32x4.mul(v128.load(block, 48), x)
    v128.store(end, zero)
    for (let k = gain; k < end; k += 16) {
      x = v128.load(k + shift)
      a0 = madd<f32>(v128.load(next, 0), x, a0)
      a1 = madd<f32>(v128.load(next, 16), x, a1)
      a2 = madd<f32>(v128.load(next, 32), x, a2)
      a3 = madd<f32>(v128.load(next, 48), x, a3)
      let y = v128.load(k)
      const u0 = v128.load(old, 0)
      v128.store(old, madd<f32>(l0, y, u0), 0)
      y = madd<f32>(g0, u0, y)
      const u1 = v128.load(old, 16)
      v128.store(old, madd<f32>(l1, y, u1), 16)
      y = madd<f32>(g1, u1, y)
      const u2 = v128.load(old, 32)
      v128.store(old, madd<f32>(l2, y, u2), 32)
      y = madd<f32>(g2, u2, y)
      const u3 = v128.load(old, 48)
      v128.store(old, madd<f32>(l3, y, u3), 48)
      y = madd<f32>(g3, u3, y)
      v128.store(k, y)
      next += 64
      old += 64
    }
    next += 64
    // φ of the four columns: lanes 0 + 2 and 1 + 3 first.
    const low = f32x4.add(v128.shuffle<f32>(a0, a1, 0, 4, 1, 5), v128.shuffle<f32>(a0, a1, 2, 6, 3, 7))
    const high = f32x4.add(v128.shuffle<f32>(a2, a3, 0, 4, 1, 5), v128.shuffle<f32>(a2, a3, 2, 6, 3, 7))
    const f = f32x4.add(v128.shuffle<f64>(low, high, 0, 2), v128.shuffle<f64>(low, high, 1, 3))
    const dj = v128.load(d)
    const g = f32x4.mul(dj, f)
    const fg = f32x4.mul(f, g)
    const pairs = f32x4.add(fg, v128.shuffle<f32>(zero, fg, 3, 4, 5, 6))
    const sums = f32x4.add(pairs, v128.shuffle<f32>(zero, pairs, 2, 3, 4, 5))
    const last = after
    after = f32x4.add(v128.shuffle<f32>(last, last, 3, 3, 3, 3), sums)
    const before = v128.shuffle<f32>(last, after, 3, 4, 5, 6)
    const l = f32x4.div(f32x4.neg(f), before)
    v128.store(d, f32x4.pmin(f32x4.mul(dj, f32x4.div(before, f32x4.mul(after, forget))), limit))
    d += 16
    g0 = v128.shuffle<f32>(g, g, 0, 0, 0, 0)
    g1 = v128.shuffle<f32>(g, g, 1, 1, 1, 1)
    g2 = v128.shuffle<f32>(g, g, 2, 2, 2, 2)
    g3 = v128.shuffle<f32>(g, g, 3, 3, 3, 3)
    l0 = v128.shuffle<f32>(l, l, 0, 0, 0, 0)
    l1 = v128.shuffle<f32>(l, l, 1, 1, 1, 1)
    l2 = v128.shuffle<f32>(l, l, 2, 2, 2, 2)
    l3 = v128.shuffle<f32>(l, l, 3, 3, 3, 3)
  }
  for (let k = gain; k < gain + bytes; k += 16) {
    let y = v128.load(k)
    const u0 = v128.load(old, 0)
    v128.store(old, madd<f32>(l0, y, u0), 0)
    y = madd<f32>(g0, u0, y)
    const u1 = v128.load(old, 16)
    v128.store(old, madd<f32>(l1, y, u1), 16)
    y = madd<f32>(g1, u1, y)
    const u2 = v128.load(old, 32)
    v128.store(old, madd<f32>(l2, y, u2), 32)
    y = madd<f32>(g2, u2, y)
    const u3 = v128.load(old, 48)
    v128.store(old, madd<f32>(l3, y, u3), 48)
    y = madd<f32>(g3, u3, y)
    v128.store(k, y)
    old += 64
  }
  return f32x4.extract_lane(after, 3)
}
