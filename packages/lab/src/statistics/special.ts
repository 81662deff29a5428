/** Distribution functions behind the tests, by series and continued fractions (Numerical Recipes, chapter 6). */

/** ln Γ(x) for x > 0 (Lanczos, relative error below 1e-14). */
export function logGamma(x: number): number {
  let sum = 0.99999999999980993
  LANCZOS.forEach((coefficient, i) => {
    sum += coefficient / (x + i)
  })
  const t = x + 6.5
  return (x - 0.5) * Math.log(t) - t + Math.log(Math.sqrt(2 * Math.PI) * sum)
}

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
]

/** P(X > x) for X chi-squared with `df` degrees of freedom. */
export function chiSquaredTail(x: number, df: number): number {
  if (x <= 0) return 1
  const a = df / 2
  const half = x / 2
  const scale = Math.exp(-half + a * Math.log(half) - logGamma(a))
  if (half < a + 1) {
    let term = 1 / a
    let sum = term
    for (let n = 1; Math.abs(term) > sum * 1e-16; n++) {
      term *= half / (a + n)
      sum += term
    }
    return 1 - sum * scale
  }
  return scale * continuedFraction((n) => (n === 0 ? [1, half + 1 - a] : [-n * (n - a), half + 2 * n + 1 - a]))
}

/** P(F > f) for F with `df1` and `df2` degrees of freedom. */
export function fTail(f: number, df1: number, df2: number): number {
  return f <= 0 ? 1 : incompleteBeta(df2 / (df2 + df1 * f), df2 / 2, df1 / 2)
}

/** P(|T| > |t|) for Student's t with `df` degrees of freedom. */
export function studentTwoSided(t: number, df: number): number {
  return incompleteBeta(df / (df + t * t), df / 2, 0.5)
}

/** Regularised incomplete beta function I_x(a, b). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const scale = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a
  return (
    scale *
    continuedFraction((n) => {
      if (n === 0) return [1, 1]
      const m = Math.floor(n / 2)
      const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
      const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
      return [n % 2 === 0 ? even : odd, 1]
    })
  )
}

/** a₀/(b₀ + a₁/(b₁ + …)) by the modified method of Lentz. */
function continuedFraction(term: (n: number) => [a: number, b: number]): number {
  const tiny = 1e-300
  let value = tiny
  let c = tiny
  let d = 0
  for (let n = 0; n < 10_000; n++) {
    const [a, b] = term(n)
    d = 1 / (b + a * d || tiny)
    c = b + a / c || tiny
    value *= c * d
    if (Math.abs(c * d - 1) < 1e-15) break
  }
  return value
}

/** Φ(x), by the error function's continued fraction and series. */
export function normalCdf(x: number): number {
  const tail = chiSquaredTail(x * x, 1) / 2
  return x >= 0 ? 1 - tail : tail
}

/**
 * Critical value of the studentised range of `groups` means with infinitely many degrees of freedom: exceeded with
 * probability `alpha`.
 */
export function studentizedRange(groups: number, alpha: number): number {
  let low = 0
  let high = 20
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if (rangeCdf(middle, groups) < 1 - alpha) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** P(range of `groups` standard normals ≤ q) = k ∫ φ(z) [Φ(z) − Φ(z − q)]^(k−1) dz, by Simpson's rule. */
function rangeCdf(q: number, groups: number): number {
  const steps = 800
  const from = -8
  const width = (8 + q - from) / steps
  let sum = 0
  for (let i = 0; i <= steps; i++) {
    const z = from + i * width
    const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
    const weight = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2
    sum += weight * density * (normalCdf(z) - normalCdf(z - q)) ** (groups - 1)
  }
  return (groups * sum * width) / 3
}
