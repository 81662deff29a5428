/**
 * The RVFL kernel in double precision, in AssemblyScript, for WebAssembly SIMD. Compiled by scripts/build-kernel.mjs.
 *
 * It gives the bits of ../twin.ts, where the formulas are; here is only what makes it fast.
 *
 * What V8 makes of it, and why it is written like this: a vector constant costs three instructions wherever it is used,
 * a broadcast load costs one, hence the table; fifteen vector registers are free, and the loop of `factorUpdate` takes
 * all of them; `memory.fill` and `memory.copy` are calls into the engine.
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
    const at = nodes<f64>(start + inputWeights, start + features)
    logistic(at, at + <usize>nodePanels * 64)
    pad<f64>(start + features)
    output(start + features, start + outputWeights, outputs + <usize>(expert * levels) * 8)
  }
}

/** One update of networks first … last − 1. */
export function update(first: i32, last: i32): void {
  for (let expert = first; expert < last; expert++) {
    const start = experts + <usize>expert * stride
    const s = factorUpdate(start + factor, start + features, start + gain, start + diagonal)
    learn<f64>(start + outputWeights, start + gain, <usize>(expert * levels) * 8, s)
  }
}

/** 0 … 5: limits, 1/ln 2, 1.5 · 2^52, ln 2 in two parts; 6 … 18: 1/13! … 1/2!, 1. */
const constants = memory.data<f64>([
  700.0,
  -700.0,
  Math.LOG2E,
  6755399441055744.0,
  0.6931471803691238,
  1.9082149292705877e-10,
  1.0 / 6227020800.0,
  1.0 / 479001600.0,
  1.0 / 39916800.0,
  1.0 / 3628800.0,
  1.0 / 362880.0,
  1.0 / 40320.0,
  1.0 / 5040.0,
  1.0 / 720.0,
  1.0 / 120.0,
  1.0 / 24.0,
  1.0 / 6.0,
  0.5,
  1.0,
])

/** Constant number i in both lanes. */
function constant(i: usize): v128 {
  return v128.load64_splat(constants + i * 8)
}

/** Replaces everything from `at` to `end` by its σ, 64 bytes at a time. */
function logistic(at: usize, end: usize): void {
  const exponentBias = i64x2.splat(1023 << 52)
  while (at < end) {
    const high = constant(0)
    const low = constant(1)
    const x0 = f64x2.pmin(f64x2.pmax(f64x2.neg(v128.load(at, 0)), low), high)
    const x1 = f64x2.pmin(f64x2.pmax(f64x2.neg(v128.load(at, 16)), low), high)
    const x2 = f64x2.pmin(f64x2.pmax(f64x2.neg(v128.load(at, 32)), low), high)
    const x3 = f64x2.pmin(f64x2.pmax(f64x2.neg(v128.load(at, 48)), low), high)
    let c = constant(2)
    const round = constant(3)
    // The integer k is in the lowest bits of t = 1.5 · 2^52 + k.
    const t0 = madd<f64>(x0, c, round)
    const t1 = madd<f64>(x1, c, round)
    const t2 = madd<f64>(x2, c, round)
    const t3 = madd<f64>(x3, c, round)
    const k0 = f64x2.sub(t0, round)
    const k1 = f64x2.sub(t1, round)
    const k2 = f64x2.sub(t2, round)
    const k3 = f64x2.sub(t3, round)
    c = constant(4)
    let r0 = nmadd<f64>(k0, c, x0)
    let r1 = nmadd<f64>(k1, c, x1)
    let r2 = nmadd<f64>(k2, c, x2)
    let r3 = nmadd<f64>(k3, c, x3)
    c = constant(5)
    r0 = nmadd<f64>(k0, c, r0)
    r1 = nmadd<f64>(k1, c, r1)
    r2 = nmadd<f64>(k2, c, r2)
    r3 = nmadd<f64>(k3, c, r3)
    const first = constant(6)
    c = constant(7)
    let p0 = madd<f64>(first, r0, c)
    let p1 = madd<f64>(first, r1, c)
    let p2 = madd<f64>(first, r2, c)
    let p3 = madd<f64>(first, r3, c)
    c = constant(8)
    p0 = madd<f64>(p0, r0, c)
    p1 = madd<f64>(p1, r1, c)
    p2 = madd<f64>(p2, r2, c)
    p3 = madd<f64>(p3, r3, c)
    c = constant(9)
    p0 = madd<f64>(p0, r0, c)
    p1 = madd<f64>(p1, r1, c)
    p2 = madd<f64>(p2, r2, c)
    p3 = madd<f64>(p3, r3, c)
    c = constant(10)
    p0 = madd<f64>(p0, r0, c)
    p1 = madd<f64>(p1, r1, c)
    p2 = madd<f64>(p2, r2, c)
    p3 = madd<f64>(p3, r3, c)
    c = constant(11)
    p0 = madd<f64>(p0, r0, c)
    p1 = madd<f64>(p1, r1, c)
    p2 = madd<f64>(p2, r2, c)
    p3 = madd<f64>(p3, r3, c)
    c = constant(12)
    p0 = madd<f64>(p0, r0, c)
    p1 = madd<f64>(p1, r1, c)
    p2 = madd<f64>(p2, r2, c)
    p3 = madd<f64>(p3, r3, c)
    c = constant(13)
    p0 = madd<f64>(p0, r0, c)
    p1 = madd<f64>(p1, r1, c)
    p2 = madd<f64>(p2, r2, c)
    p3 = madd<f64>(p3, r3, c)
    c = constant(14)
    p0 = madd<f64>(p0, r0, c)
    p1 = madd<f64>(p1, r1, c)
    p2 = madd<f64>(p2, r2, c)
    p3 = madd<f64>(p3, r3, c)
    c = constant(15)
    p0 = madd<f64>(p0, r0, c)
    p1 = madd<f64>(p1, r1, c)
    p2 = madd<f64>(p2, r2, c)
    p3 = madd<f64>(p3, r3, c)
    c = constant(16)
    p0 = madd<f64>(p0, r0, c)
    p1 = madd<f64>(p1, r1, c)
    p2 = madd<f64>(p2, r2, c)
    p3 = madd<f64>(p3, r3, c)
    c = constant(17)
    p0 = madd<f64>(p0, r0, c)
    p1 = madd<f64>(p1, r1, c)
    p2 = madd<f64>(p2, r2, c)
    p3 = madd<f64>(p3, r3, c)
    c = constant(18)
    p0 = madd<f64>(p0, r0, c)
    p1 = madd<f64>(p1, r1, c)
    p2 = madd<f64>(p2, r2, c)
    p3 = madd<f64>(p3, r3, c)
    p0 = madd<f64>(p0, r0, c)
    p1 = madd<f64>(p1, r1, c)
    p2 = madd<f64>(p2, r2, c)
    p3 = madd<f64>(p3, r3, c)
    v128.store(at, f64x2.div(c, madd<f64>(p0, i64x2.add(i64x2.shl(t0, 52), exponentBias), c)), 0)
    v128.store(at, f64x2.div(c, madd<f64>(p1, i64x2.add(i64x2.shl(t1, 52), exponentBias), c)), 16)
    v128.store(at, f64x2.div(c, madd<f64>(p2, i64x2.add(i64x2.shl(t2, 52), exponentBias), c)), 32)
    v128.store(at, f64x2.div(c, madd<f64>(p3, i64x2.add(i64x2.shl(t3, 52), exponentBias), c)), 48)
    at += 64
  }
}

/** ŷ = hᵀW. */
function output(h: usize, weights: usize, out: usize): void {
  const end = h + <usize>width * 8
  let w = weights
  for (let k = 0; k < levels; k++) {
    let s0 = f64x2.splat(0)
    let s1 = f64x2.splat(0)
    for (let i = h; i < end; i += 32) {
      s0 = madd<f64>(v128.load(i, 0), v128.load(w, 0), s0)
      s1 = madd<f64>(v128.load(i, 16), v128.load(w, 16), s1)
      w += 32
    }
    const s = f64x2.add(s0, s1)
    store<f64>(out, f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1))
    out += 8
  }
}

/**
 * U, D and k; returns s. One loop updates a panel and multiplies the next one with h, so that U comes from memory once,
 * and while it comes there is something to compute.
 */
function factorUpdate(u: usize, h: usize, gain: usize, d: usize): f64 {
  const bytes = <usize>width * 8
  const forget = f64x2.splat(forgetting)
  const limit = f64x2.splat(diagonalLimit)
  const shift = h - gain
  const zero = f64x2.splat(0)
  let alpha = forgetting
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
  for (let row: usize = 0; row < bytes; row += 32) {
    // The diagonal block first: its lower left quarter is zero.
    const block = next + (row << 2)
    const end = gain + row
    const xLow = v128.load(end + shift, 0)
    const xHigh = v128.load(end + shift, 16)
    let a0 = f64x2.mul(v128.load(block, 0), xLow)
    let a1 = f64x2.mul(v128.load(block, 16), xLow)
    let a2 = madd<f64>(v128.load(block, 96), xHigh, f64x2.mul(v128.load(block, 32), xLow))
    let a3 = madd<f64>(v128.load(block, 112), xHigh, f64x2.mul(v128.load(block, 48), xLow))
    v128.store(end, zero, 0)
    v128.store(end, zero, 16)
    for (let k = gain; k < end; k += 32) {
      const x = v128.load(k + shift, 0)
      a0 = madd<f64>(v128.load(next, 0), x, a0)
      a1 = madd<f64>(v128.load(next, 16), x, a1)
      a2 = madd<f64>(v128.load(next, 32), x, a2)
      a3 = madd<f64>(v128.load(next, 48), x, a3)
      let y = v128.load(k, 0)
      const u0 = v128.load(old, 0)
      v128.store(old, madd<f64>(l0, y, u0), 0)
      y = madd<f64>(g0, u0, y)
      const u1 = v128.load(old, 16)
      v128.store(old, madd<f64>(l1, y, u1), 16)
      y = madd<f64>(g1, u1, y)
      const u2 = v128.load(old, 32)
      v128.store(old, madd<f64>(l2, y, u2), 32)
      y = madd<f64>(g2, u2, y)
      const u3 = v128.load(old, 48)
      v128.store(old, madd<f64>(l3, y, u3), 48)
      y = madd<f64>(g3, u3, y)
      v128.store(k, y, 0)
      const x4 = v128.load(k + shift, 16)
      a0 = madd<f64>(v128.load(next, 64), x4, a0)
      a1 = madd<f64>(v128.load(next, 80), x4, a1)
      a2 = madd<f64>(v128.load(next, 96), x4, a2)
      a3 = madd<f64>(v128.load(next, 112), x4, a3)
      let y4 = v128.load(k, 16)
      const u4 = v128.load(old, 64)
      v128.store(old, madd<f64>(l0, y4, u4), 64)
      y4 = madd<f64>(g0, u4, y4)
      const u5 = v128.load(old, 80)
      v128.store(old, madd<f64>(l1, y4, u5), 80)
      y4 = madd<f64>(g1, u5, y4)
      const u6 = v128.load(old, 96)
      v128.store(old, madd<f64>(l2, y4, u6), 96)
      y4 = madd<f64>(g2, u6, y4)
      const u7 = v128.load(old, 112)
      v128.store(old, madd<f64>(l3, y4, u7), 112)
      y4 = madd<f64>(g3, u7, y4)
      v128.store(k, y4, 16)
      next += 128
      old += 128
    }
    next += 128
    const f01 = f64x2.add(v128.shuffle<f64>(a0, a1, 0, 2), v128.shuffle<f64>(a0, a1, 1, 3))
    const f23 = f64x2.add(v128.shuffle<f64>(a2, a3, 0, 2), v128.shuffle<f64>(a2, a3, 1, 3))
    const d01 = v128.load(d, 0)
    const d23 = v128.load(d, 16)
    const g01 = f64x2.mul(d01, f01)
    const g23 = f64x2.mul(d23, f23)
    const fg01 = f64x2.mul(f01, g01)
    const fg23 = f64x2.mul(f23, g23)
    const alpha1 = alpha + f64x2.extract_lane(fg01, 0)
    const alpha2 = alpha1 + f64x2.extract_lane(fg01, 1)
    const alpha3 = alpha2 + f64x2.extract_lane(fg23, 0)
    const alpha4 = alpha3 + f64x2.extract_lane(fg23, 1)
    const before01 = f64x2.replace_lane(f64x2.splat(alpha), 1, alpha1)
    const before23 = f64x2.replace_lane(f64x2.splat(alpha2), 1, alpha3)
    const after01 = f64x2.replace_lane(f64x2.splat(alpha1), 1, alpha2)
    const after23 = f64x2.replace_lane(f64x2.splat(alpha3), 1, alpha4)
    const l01 = f64x2.div(f64x2.neg(f01), before01)
    const l23 = f64x2.div(f64x2.neg(f23), before23)
    v128.store(d, f64x2.pmin(f64x2.mul(d01, f64x2.div(before01, f64x2.mul(after01, forget))), limit), 0)
    v128.store(d, f64x2.pmin(f64x2.mul(d23, f64x2.div(before23, f64x2.mul(after23, forget))), limit), 16)
    d += 32
    alpha = alpha4
    g0 = v128.shuffle<f64>(g01, g01, 0, 0)
    g1 = v128.shuffle<f64>(g01, g01, 1, 1)
    g2 = v128.shuffle<f64>(g23, g23, 0, 0)
    g3 = v128.shuffle<f64>(g23, g23, 1, 1)
    l0 = v128.shuffle<f64>(l01, l01, 0, 0)
    l1 = v128.shuffle<f64>(l01, l01, 1, 1)
    l2 = v128.shuffle<f64>(l23, l23, 0, 0)
    l3 = v128.shuffle<f64>(l23, l23, 1, 1)
  }
  for (let k = gain; k < gain + bytes; k += 16) {
    let y = v128.load(k)
    const u0 = v128.load(old, 0)
    v128.store(old, madd<f64>(l0, y, u0), 0)
    y = madd<f64>(g0, u0, y)
    const u1 = v128.load(old, 16)
    v128.store(old, madd<f64>(l1, y, u1), 16)
    y = madd<f64>(g1, u1, y)
    const u2 = v128.load(old, 32)
    v128.store(old, madd<f64>(l2, y, u2), 32)
    y = madd<f64>(g2, u2, y)
    const u3 = v128.load(old, 48)
    v128.store(old, madd<f64>(l3, y, u3), 48)
    y = madd<f64>(g3, u3, y)
    v128.store(k, y)
    old += 64
  }
  return alpha
}
