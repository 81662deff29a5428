// Passages of the docs that are made from what `pb-oel bench` has stored.

/** What `pb-oel bench --save` stores. */
interface StoredBench {
  readonly date: string
  readonly machine: { readonly cpu: string; readonly cores: number }
  readonly results: readonly {
    readonly benchmark: string
    readonly variant: string
    readonly median: number
    readonly unit: string
  }[]
}

/** The medians of a benchmark, a row for each variant. */
export function benchRows({ results }: StoredBench): string {
  const lines = results.map(({ variant, median, unit }) => `| ${variant} | ${three(median)} | ${unit} |`)
  return ['| | median | |', '|---|---|---|', ...lines].join('\n')
}

/** The median of one variant of one benchmark. */
function medianOf({ results }: StoredBench, benchmark: string, variant: string): number {
  const found = results.find((one) => one.benchmark === benchmark && one.variant === variant)
  if (!found) throw new Error(`the stored result has no ${benchmark} ${variant}`)
  return found.median
}

/** A number with three digits that count. */
function three(value: number): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** The kernel in each arithmetic, with the ratio to double. */
export function arithmeticRows(stored: StoredBench): string {
  const lines = ['D=124 N=10', 'D=124 N=50', 'D=224 N=10', 'D=524 N=10', 'D=524 N=50'].map((size) => {
    const cells = ['fused', 'single', 'single fused'].map((kind) => {
      const ratio = medianOf(stored, 'kernel', `${size} ${kind} : double`)
      return `${three(medianOf(stored, 'kernel', `${size} ${kind}`))} (${ratio.toFixed(2)} ×)`
    })
    const [d, n] = size.match(/\d+/g) ?? []
    return `| ${d} | ${n} | ${three(medianOf(stored, 'kernel', `${size} double`))} | ${cells.join(' | ')} |`
  })
  return ['| D | N | double, µs | fused | single | single, fused |', '|---|---|---|---|---|---|', ...lines].join('\n')
}

/** One sample through a bank of networks on one thread and on two. */
export function threadRows(stored: StoredBench): string {
  const lines = ['D=524 N=50', 'D=124 N=10'].flatMap((size) =>
    ['double', 'single'].map((kind) => {
      const [one, two] = [1, 2].map((count) => `${size} ${kind} on ${count} thread${count === 1 ? '' : 's'}`)
      const ratio = medianOf(stored, 'threads', `${two} : ${kind} on 1 thread`)
      const times = [one, two].map((variant) => three(medianOf(stored, 'threads', variant)))
      return `| ${size.replace(' ', ', ')}, ${kind} | ${times.join(' | ')} | ${ratio.toFixed(2)} × |`
    }),
  )
  return ['| | one thread, µs | two threads | |', '|---|---|---|---|', ...lines].join('\n')
}

/** What one sample costs at the paper's defaults. */
export function speedRows(stored: StoredBench): string {
  const plain = medianOf(stored, 'kernel', 'D=124 N=10 plain')
  const step = (what: string, variant: string) => {
    const median = medianOf(stored, 'kernel', `D=124 N=10 ${variant}`)
    return `| ensemble step, ${what} | ${three(median)} | ${(plain / median).toFixed(1)} × |`
  }
  const loop = (method: string) => three(medianOf(stored, 'loop', method))
  return [
    ...['| | µs | |', '|---|---|---|'],
    step('textbook TypeScript on full matrices', 'plain'),
    step('the TypeScript twin', 'typescript'),
    step('WebAssembly SIMD (the default)', 'simd'),
    step('WebAssembly SIMD, fused arithmetic', 'fused'),
    step('WebAssembly SIMD, single precision', 'single'),
    `| PB-OEL, assess and learn | ${loop('pb-oel')} | ${medianOf(stored, 'loop', 'pb-oel : simd').toFixed(2)} of the kernel's rate |`,
    `| PB-OEL+, assess and learn | ${loop('pb-oel-plus')} | ${medianOf(stored, 'loop', 'pb-oel-plus : pb-oel').toFixed(2)} of PB-OEL's time |`,
    `| refit of one network after drift | ${three(medianOf(stored, 'refit', 'D=124 one network'))} | |`,
  ].join('\n')
}

export function speedLine(stored: StoredBench): string {
  const { cpu, cores } = stored.machine
  const [plain, simd] = ['plain', 'simd'].map((variant) => medianOf(stored, 'kernel', `D=124 N=10 ${variant}`))
  const loop = three(medianOf(stored, 'loop', 'pb-oel'))
  return [
    `**Speed**, on one of ${cores} cores of an ${cpu} (${stored.date.slice(0, 10)}): PB-OEL assesses and learns in ${loop} µs per`,
    `sample, and its ensemble step is ${(plain / simd).toFixed(1)} times as fast as textbook TypeScript.`,
  ].join('\n')
}
