// Compiles the AssemblyScript of the kernel to WebAssembly and writes it as modules of hexadecimal text that need no
// loader. With --check nothing is written: exit code 1 when a rebuild does not give the committed bytes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = 'packages/core/src/rvfl/kernel'
const sources = `${target}/assembly`
const builds = [
  { name: 'DOUBLE_WASM', source: 'double.ts', file: 'double.wasm.ts', features: ['simd'] },
  {
    name: 'DOUBLE_RELAXED_WASM',
    source: 'double.ts',
    file: 'double-relaxed.wasm.ts',
    features: ['simd', 'relaxed-simd'],
  },
  { name: 'SINGLE_WASM', source: 'single.ts', file: 'single.wasm.ts', features: ['simd'] },
  {
    name: 'SINGLE_RELAXED_WASM',
    source: 'single.ts',
    file: 'single-relaxed.wasm.ts',
    features: ['simd', 'relaxed-simd'],
  },
  { name: 'PROBE_WASM', source: 'probe.ts', file: 'probe.wasm.ts', features: ['simd', 'relaxed-simd'] },
]

/** The arena comes from outside; its first 8 bytes stay free, so that no offset is 0. The probe needs no memory. */
const arena = ['--importMemory', '--maximumMemory', '65536', '--memoryBase', '8']
const check = process.argv.includes('--check')
let different = false
for (const { name, source, file, features } of builds) {
  const bytes = await compile(`${sources}/${source}`, features, source === 'probe.ts' ? [] : arena)
  const text = `// Generated from ${sources}/${source} by scripts/build-kernel.mjs: ${bytes.length} bytes of WebAssembly.
export const ${name} =
  '${bytes.toString('hex')}'
`
  const path = join(root, target, file)
  if (!check) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) {
    different = true
    console.error(`${target}/${file} is not what ${sources}/${source} compiles to; run npm run build:kernel`)
  }
}
if (different) process.exitCode = 1

async function compile(source, features, memory) {
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-kernel-'))
  const out = join(folder, 'kernel.wasm')
  try {
    const { error, stderr } = await asc.main([
      ...[source, '--baseDir', root, '--outFile', out],
      ...['-O3', '--converge', '--noAssert', '--runtime', 'stub', ...memory],
      ...features.flatMap((feature) => ['--enable', feature]),
    ])
    if (error) throw new Error(stderr.toString(), { cause: error })
    return readFileSync(out)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
