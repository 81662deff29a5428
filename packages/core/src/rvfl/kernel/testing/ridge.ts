/**
 * Ridge regression by Cholesky's factorisation of the normal equations, written apart from the kernel to check it.
 *
 * Minimises Σᵢ wᵢ‖yᵢ − hᵢᵀW‖² + `ridge`·‖W‖². Returns W (D × K) and P = (Σ wᵢhᵢhᵢᵀ + ridge·I)⁻¹ (D × D), row by row.
 */
export function ridgeRegression(
  rows: readonly (readonly number[])[],
  targets: readonly (readonly number[])[],
  ridge: number,
  weights: readonly number[] = rows.map(() => 1),
): { w: number[]; p: number[] } {
  const size = rows[0].length
  const levels = targets[0].length
  const index = Array.from({ length: size }, (_, i) => i)
  const normal = index.map((i) =>
    index.map((j) => rows.reduce((sum, h, n) => sum + weights[n] * h[i] * h[j], i === j ? ridge : 0)),
  )
  const lower = cholesky(normal)
  const right = index.map((i) =>
    Array.from({ length: levels }, (_, k) => rows.reduce((sum, h, n) => sum + weights[n] * h[i] * targets[n][k], 0)),
  )
  const identity = index.map((i) => index.map((j) => (i === j ? 1 : 0)))
  return { w: solve(lower, right).flat(), p: solve(lower, identity).flat() }
}

function cholesky(a: number[][]): number[][] {
  const l = a.map((row) => row.map(() => 0))
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i][j]
      for (let m = 0; m < j; m++) sum -= l[i][m] * l[j][m]
      l[i][j] = i === j ? Math.sqrt(sum) : sum / l[j][j]
    }
  }
  return l
}

function solve(l: number[][], b: number[][]): number[][] {
  const x = b.map((row) => [...row])
  for (let k = 0; k < x[0].length; k++) {
    for (let i = 0; i < x.length; i++) {
      for (let m = 0; m < i; m++) x[i][k] -= l[i][m] * x[m][k]
      x[i][k] /= l[i][i]
    }
    for (let i = x.length - 1; i >= 0; i--) {
      for (let m = i + 1; m < x.length; m++) x[i][k] -= l[m][i] * x[m][k]
      x[i][k] /= l[i][i]
    }
  }
  return x
}
