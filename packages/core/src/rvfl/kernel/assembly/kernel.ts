/**
 * The RVFL kernel in AssemblyScript, for WebAssembly SIMD. Compiled by scripts/build-kernel.mjs.
 *
 * It works on the arena that ../layout.ts describes and gives the bits of ../twin.ts, where
 * the formulas are; this file only makes it fast. All offsets are in bytes.
 *
 * What V8 makes of it, and why it is written like this: a vector constant costs three instructions wherever it is used,
 * a broadcast load one, hence the table; fifteen vector registers are free, and the loop of `factorUpdate` takes all of
 * them; `memory.fill` and `memory.copy` are calls into the engine.
 */

let channels: i32 = 0
let channelRows: i32 = 0
let nodePanels: i32 = 0
let size: i32 = 0
let width: i32 = 0
let levels: i32 = 0
let sample: usize = 0
let outputs: usize = 0
let targets: usize = 0
let experts: usize = 0
let stride: usize = 0
let inputWeights: usize = 0
let features: usize = 0
let gain: usize = 0
let diagonal: usize = 0
let outputWeights: usize = 0
let factor: usize = 0
let forgetting: f64 = 1
let diagonalLimit: f64 = Infinity

/** Sizes and constants; once, before anything else. */
export function configure(
  channels_: i32,
  channelRows_: i32,
  nodePanels_: i32,
  size_: i32,
  width_: i32,
  levels_: i32,
  sample_: usize,
  outputs_: usize,
  targets_: usize,
  experts_: usize,
  stride_: usize,
  inputWeights_: usize,
  features_: usize,
  gain_: usize,
  diagonal_: usize,
  outputWeights_: usize,
  factor_: usize,
  forgetting_: f64,
  diagonalLimit_: f64,
): void {
  channels = channels_
  channelRows = channelRows_
  nodePanels = nodePanels_
  size = size_
  width = width_
  levels = levels_
  sample = sample_
  outputs = outputs_
  targets = targets_
  experts = experts_
  stride = stride_
  inputWeights = inputWeights_
  features = features_
  gain = gain_
  diagonal = diagonal_
  outputWeights = outputWeights_
  factor = factor_
  forgetting = forgetting_
  diagonalLimit = diagonalLimit_
}

/** Features and outputs of networks first … last − 1. */
export function forward(first: i32, last: i32): void {
  for (let expert = first; expert < last; expert++) {
    const start = experts + <usize>expert * stride
    nodes(start + inputWeights, start + features)
    output(start + features, start + outputWeights, outputs + <usize>(expert * levels) * 8)
  }
}

/** One update of networks first … last − 1. */
export function update(first: i32, last: i32): void {
  for (let expert = first; expert < last; expert++) {
    const start = experts + <usize>expert * stride
    const s = factorUpdate(start + factor, start + features, start + gain, start + diagonal)
    learn(start + outputWeights, start + gain, <usize>(expert * levels) * 8, s)
  }
}

/** a·b + c; rounded once in the relaxed build where the processor can, twice in the exact one. */
function madd(a: v128, b: v128, c: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? f64x2.relaxed_madd(a, b, c) : f64x2.add(c, f64x2.mul(a, b))
}

/** c − a·b, rounded likewise. */
function nmadd(a: v128, b: v128, c: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? f64x2.relaxed_nmadd(a, b, c) : f64x2.sub(c, f64x2.mul(a, b))
}

/** h = [z, σ(z·V + b), 0 …]. */
function nodes(weights: usize, h: usize): void {
  for (let i: usize = 0; i < <usize>channels * 8; i += 8) store<f64>(h + i, load<f64>(sample + i))
  const out = h + <usize>channels * 8
  const end = out + <usize>nodePanels * 64
  const sampleEnd = sample + <usize>channelRows * 8
  let at = weights
  for (let panel = out; panel < end; panel += 64) {
    let a0 = v128.load(at, 0)
    let a1 = v128.load(at, 16)
    let a2 = v128.load(at, 32)
    let a3 = v128.load(at, 48)
    at += 64
    for (let i = sample; i < sampleEnd; i += 16) {
      let z = v128.load64_splat(i, 0)
      a0 = madd(z, v128.load(at, 0), a0)
      a1 = madd(z, v128.load(at, 16), a1)
      a2 = madd(z, v128.load(at, 32), a2)
      a3 = madd(z, v128.load(at, 48), a3)
      z = v128.load64_splat(i, 8)
      a0 = madd(z, v128.load(at, 64), a0)
      a1 = madd(z, v128.load(at, 80), a1)
      a2 = madd(z, v128.load(at, 96), a2)
      a3 = madd(z, v128.load(at, 112), a3)
      at += 128
    }
    v128.store(panel, a0, 0)
    v128.store(panel, a1, 16)
    v128.store(panel, a2, 32)
    v128.store(panel, a3, 48)
  }
  logistic(out, end)
  for (let i = h + <usize>size * 8; i < h + <usize>width * 8; i += 8) store<f64>(i, 0)
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
    const t0 = madd(x0, c, round)
    const t1 = madd(x1, c, round)
    const t2 = madd(x2, c, round)
    const t3 = madd(x3, c, round)
    const k0 = f64x2.sub(t0, round)
    const k1 = f64x2.sub(t1, round)
    const k2 = f64x2.sub(t2, round)
    const k3 = f64x2.sub(t3, round)
    c = constant(4)
    let r0 = nmadd(k0, c, x0)
    let r1 = nmadd(k1, c, x1)
    let r2 = nmadd(k2, c, x2)
    let r3 = nmadd(k3, c, x3)
    c = constant(5)
    r0 = nmadd(k0, c, r0)
    r1 = nmadd(k1, c, r1)
    r2 = nmadd(k2, c, r2)
    r3 = nmadd(k3, c, r3)
    const first = constant(6)
    c = constant(7)
    let p0 = madd(first, r0, c)
    let p1 = madd(first, r1, c)
    let p2 = madd(first, r2, c)
    let p3 = madd(first, r3, c)
    c = constant(8)
    p0 = madd(p0, r0, c)
    p1 = madd(p1, r1, c)
    p2 = madd(p2, r2, c)
    p3 = madd(p3, r3, c)
    c = constant(9)
    p0 = madd(p0, r0, c)
    p1 = madd(p1, r1, c)
    p2 = madd(p2, r2, c)
    p3 = madd(p3, r3, c)
    c = constant(10)
    p0 = madd(p0, r0, c)
    p1 = madd(p1, r1, c)
    p2 = madd(p2, r2, c)
    p3 = madd(p3, r3, c)
    c = constant(11)
    p0 = madd(p0, r0, c)
    p1 = madd(p1, r1, c)
    p2 = madd(p2, r2, c)
    p3 = madd(p3, r3, c)
    c = constant(12)
    p0 = madd(p0, r0, c)
    p1 = madd(p1, r1, c)
    p2 = madd(p2, r2, c)
    p3 = madd(p3, r3, c)
    c = constant(13)
    p0 = madd(p0, r0, c)
    p1 = madd(p1, r1, c)
    p2 = madd(p2, r2, c)
    p3 = madd(p3, r3, c)
    c = constant(14)
    p0 = madd(p0, r0, c)
    p1 = madd(p1, r1, c)
    p2 = madd(p2, r2, c)
    p3 = madd(p3, r3, c)
    c = constant(15)
    p0 = madd(p0, r0, c)
    p1 = madd(p1, r1, c)
    p2 = madd(p2, r2, c)
    p3 = madd(p3, r3, c)
    c = constant(16)
    p0 = madd(p0, r0, c)
    p1 = madd(p1, r1, c)
    p2 = madd(p2, r2, c)
    p3 = madd(p3, r3, c)
    c = constant(17)
    p0 = madd(p0, r0, c)
    p1 = madd(p1, r1, c)
    p2 = madd(p2, r2, c)
    p3 = madd(p3, r3, c)
    c = constant(18)
    p0 = madd(p0, r0, c)
    p1 = madd(p1, r1, c)
    p2 = madd(p2, r2, c)
    p3 = madd(p3, r3, c)
    p0 = madd(p0, r0, c)
    p1 = madd(p1, r1, c)
    p2 = madd(p2, r2, c)
    p3 = madd(p3, r3, c)
    v128.store(at, f64x2.div(c, madd(p0, i64x2.add(i64x2.shl(t0, 52), exponentBias), c)), 0)
    v128.store(at, f64x2.div(c, madd(p1, i64x2.add(i64x2.shl(t1, 52), exponentBias), c)), 16)
    v128.store(at, f64x2.div(c, madd(p2, i64x2.add(i64x2.shl(t2, 52), exponentBias), c)), 32)
    v128.store(at, f64x2.div(c, madd(p3, i64x2.add(i64x2.shl(t3, 52), exponentBias), c)), 48)
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
      s0 = madd(v128.load(i, 0), v128.load(w, 0), s0)
      s1 = madd(v128.load(i, 16), v128.load(w, 16), s1)
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
    let a2 = madd(v128.load(block, 96), xHigh, f64x2.mul(v128.load(block, 32), xLow))
    let a3 = madd(v128.load(block, 112), xHigh, f64x2.mul(v128.load(block, 48), xLow))
    v128.store(end, zero, 0)
    v128.store(end, zero, 16)
    for (let k = gain; k < end; k += 32) {
      const x = v128.load(k + shift, 0)
      a0 = madd(v128.load(next, 0), x, a0)
      a1 = madd(v128.load(next, 16), x, a1)
      a2 = madd(v128.load(next, 32), x, a2)
      a3 = madd(v128.load(next, 48), x, a3)
      let y = v128.load(k, 0)
      const u0 = v128.load(old, 0)
      v128.store(old, madd(l0, y, u0), 0)
      y = madd(g0, u0, y)
      const u1 = v128.load(old, 16)
      v128.store(old, madd(l1, y, u1), 16)
      y = madd(g1, u1, y)
      const u2 = v128.load(old, 32)
      v128.store(old, madd(l2, y, u2), 32)
      y = madd(g2, u2, y)
      const u3 = v128.load(old, 48)
      v128.store(old, madd(l3, y, u3), 48)
      y = madd(g3, u3, y)
      v128.store(k, y, 0)
      const x4 = v128.load(k + shift, 16)
      a0 = madd(v128.load(next, 64), x4, a0)
      a1 = madd(v128.load(next, 80), x4, a1)
      a2 = madd(v128.load(next, 96), x4, a2)
      a3 = madd(v128.load(next, 112), x4, a3)
      let y4 = v128.load(k, 16)
      const u4 = v128.load(old, 64)
      v128.store(old, madd(l0, y4, u4), 64)
      y4 = madd(g0, u4, y4)
      const u5 = v128.load(old, 80)
      v128.store(old, madd(l1, y4, u5), 80)
      y4 = madd(g1, u5, y4)
      const u6 = v128.load(old, 96)
      v128.store(old, madd(l2, y4, u6), 96)
      y4 = madd(g2, u6, y4)
      const u7 = v128.load(old, 112)
      v128.store(old, madd(l3, y4, u7), 112)
      y4 = madd(g3, u7, y4)
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
    v128.store(old, madd(l0, y, u0), 0)
    y = madd(g0, u0, y)
    const u1 = v128.load(old, 16)
    v128.store(old, madd(l1, y, u1), 16)
    y = madd(g1, u1, y)
    const u2 = v128.load(old, 32)
    v128.store(old, madd(l2, y, u2), 32)
    y = madd(g2, u2, y)
    const u3 = v128.load(old, 48)
    v128.store(old, madd(l3, y, u3), 48)
    y = madd(g3, u3, y)
    v128.store(k, y)
    old += 64
  }
  return alpha
}

/** W ← W + k·((y* − ŷ)/s). */
function learn(weights: usize, gain: usize, at: usize, s: f64): void {
  const end = gain + <usize>width * 8
  let w = weights
  for (let k = 0; k < levels; k++) {
    const step = f64x2.splat((load<f64>(targets + at) - load<f64>(outputs + at)) / s)
    for (let i = gain; i < end; i += 32) {
      v128.store(w, madd(v128.load(i, 0), step, v128.load(w, 0)), 0)
      v128.store(w, madd(v128.load(i, 16), step, v128.load(w, 16)), 16)
      w += 32
    }
    at += 8
  }
}
