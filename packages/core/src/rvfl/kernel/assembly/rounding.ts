/** a·b + c. The relaxed build rounds once where the processor can; the exact build rounds twice. */
export function madd<T>(a: v128, b: v128, c: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? v128.relaxed_madd<T>(a, b, c) : v128.add<T>(c, v128.mul<T>(a, b))
}

/** c − a·b, rounded likewise. */
export function nmadd<T>(a: v128, b: v128, c: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? v128.relaxed_nmadd<T>(a, b, c) : v128.sub<T>(c, v128.mul<T>(a, b))
}
