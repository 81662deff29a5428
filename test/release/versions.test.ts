import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CAN_INSTALL, newFolder, ran, run, tarballs } from '../testing/outside.ts'

/** Every method for some samples, and the hash of the states: it must be the same on every engine. */
const PROGRAM = `import { createAssessor, dive, METHODS } from '@pb-oel/core'
import '@pb-oel/core/drift'
import '@pb-oel/core/learners'
import '@pb-oel/core/rivals'
import '@pb-oel/core/streams'
import '@pb-oel/core/laws'
import { Feedback } from '@pb-oel/protocol'

let hash = Object.keys(Feedback).length > 0 ? 2166136261 : 0
for (const { name, levels } of METHODS) {
  if (levels === 2) continue
  const assessor = createAssessor(name, { channels: 24, levels: 3, seed: 1 })
  let n = 0
  for (const { x, level: truth } of dive({ samples: 3000 })) {
    if (n++ === 400) break
    const { id, level } = assessor.assess(x)
    assessor.learn(id, level === truth ? { kind: 'confirm' } : { kind: 'reject' })
  }
  for (const byte of assessor.snapshot()) hash = Math.imul(hash ^ byte, 16777619) >>> 0
}
console.log(hash)
`

describe.skipIf(!CAN_INSTALL)('core and protocol, packed (needs a registry of packages)', () => {
  const { folder, remove } = newFolder('Versionen')
  let expected = ''

  beforeAll(() => {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n')
    writeFileSync(join(folder, 'program.js'), PROGRAM)
    const packed = tarballs(join(folder, 'tarballs'))
    ran('npm', ['install', packed['@pb-oel/core'], packed['@pb-oel/protocol']], folder)
    expected = ran(process.execPath, ['program.js'], folder)
  })
  afterAll(remove)

  /** Installs a package elsewhere and gives the path of a file in it. */
  const fetched = (name: string, file: string): string => {
    const place = join(folder, 'fetched', name.replaceAll(/[@/]/g, '-'))
    ran('npm', ['install', '--prefix', place, name], folder)
    const [path] = globSync(join(place.replaceAll('\\', '/'), 'node_modules', file))
    return path
  }

  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  it.each(['20', '22', '24', '26'])('give the same bits on Node %s', (version) => {
    const node = fetched(`node-${platform}@${version}`, `node-${platform}/bin/node*`)
    expect(ran(node, ['--version'], folder)).toContain(`v${version}`)
    expect(ran(node, ['program.js'], folder)).toBe(expected)
  })

  it('give the same bits on Deno', () => {
    const deno = fetched('deno', '@deno/*/deno*')
    expect(ran(deno, ['run', '--allow-read', '--allow-env', '--node-modules-dir=manual', 'program.js'], folder)).toBe(
      expected,
    )
  })

  it('give the same bits on Bun', () => {
    const name = `@oven/bun-${process.platform === 'win32' ? 'windows' : process.platform}-${
      process.arch === 'arm64' ? 'aarch64' : process.arch
    }`
    const bun = fetched(name, `${name}/bin/bun*`)
    expect(ran(bun, ['run', 'program.js'], folder)).toBe(expected)
  })

  it.each(['5.0', '5.4', '5.9', '6.0', '7.0'])(
    'have types for strict TypeScript %s, in NodeNext and Bundler',
    (version) => {
      const tsc = fetched(`typescript@~${version}.0`, 'typescript/bin/tsc')
      const entries = ['core', 'core/drift', 'core/learners', 'core/rivals', 'core/streams', 'core/laws', 'protocol']
      const imports = entries.map((entry, i) => `import * as entry${i} from '@pb-oel/${entry}'`)
      const use = `const level: number = new entry0.PbOel({ channels: 1, levels: 2 }).assess(new Float64Array(1)).level`
      const names = [...entries.map((_, i) => `entry${i}`), 'level']
      writeFileSync(join(folder, 'all.ts'), `${imports.join('\n')}\n${use}\nexport const all = [${names}]\n`)
      for (const [module, resolution] of [
        ['nodenext', 'nodenext'],
        ['esnext', 'bundler'],
      ]) {
        const how = ['--module', module, '--moduleResolution', resolution, '--target', 'es2022', '--noEmit', '--strict']
        const { stdout, status } = run(process.execPath, [tsc, ...how, 'all.ts'], folder)
        expect(stdout).toBe('')
        expect(status).toBe(0)
      }
    },
  )
})
