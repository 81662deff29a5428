/** Tells whether relaxed multiply–add rounds once here. It is a module of its own, compiled only when asked for. */

/** a·b + c in one lane; the numbers come from outside, so that no compiler computes the result in advance. */
export function multiplyAdd(a: f64, b: f64, c: f64): f64 {
  return f64x2.extract_lane(f64x2.relaxed_madd(f64x2.splat(a), f64x2.splat(b), f64x2.splat(c)), 0)
}

/** c − a·b. */
export function subtractProduct(a: f64, b: f64, c: f64): f64 {
  return f64x2.extract_lane(f64x2.relaxed_nmadd(f64x2.splat(a), f64x2.splat(b), f64x2.splat(c)), 0)
}

/** a·b + c in single precision. */
export function multiplyAddSingle(a: f32, b: f32, c: f32): f32 {
  return f32x4.extract_lane(f32x4.relaxed_madd(f32x4.splat(a), f32x4.splat(b), f32x4.splat(c)), 0)
}

/** c − a·b in single precision. */
export function subtractProductSingle(a: f32, b: f32, c: f32): f32 {
  return f32x4.extract_lane(f32x4.relaxed_nmadd(f32x4.splat(a), f32x4.splat(b), f32x4.splat(c)), 0)
}
