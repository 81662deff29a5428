// Compiles packages/core/src/rvfl/kernel/assembly/kernel.ts to WebAssembly and writes it as base64 modules that need no
// loader. With --check nothing is written: exit code 1 when a rebuild does not give the committed bytes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = 'packages/core/src/rvfl/kernel/assembly/kernel.ts'
const builds = [
  { name: 'SIMD_WASM', file: 'packages/core/src/rvfl/kernel/simd.wasm.ts', features: ['simd'] },
  { name: 'RELAXED_WASM', file: 'packages/core/src/rvfl/kernel/relaxed.wasm.ts', features: ['simd', 'relaxed-simd'] },
]

const check = process.argv.includes('--check')
let different = false
for (const { name, file, features } of builds) {
  const bytes = await compile(features)
  const text = `// Generated from ${source} by scripts/build-kernel.mjs: ${bytes.length} bytes of WebAssembly.
export const ${name} =
  '${bytes.toString('base64')}'
`
  const path = join(root, file)
  if (!check) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) {
    different = true
    console.error(`${file} is not what ${source} compiles to; run npm run build:kernel`)
  }
}
if (different) process.exitCode = 1

async function compile(features) {
  const folder = mkdtempSync(join(tmpdir(), 'pb-oel-kernel-'))
  const out = join(folder, 'kernel.wasm')
  try {
    const { error, stderr } = await asc.main([
      ...[source, '--baseDir', root, '--outFile', out],
      ...['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--importMemory', '--memoryBase', '8'],
      ...features.flatMap((feature) => ['--enable', feature]),
    ])
    if (error) throw new Error(stderr.toString(), { cause: error })
    return readFileSync(out)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
