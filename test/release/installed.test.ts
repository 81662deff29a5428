import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, openBrowser } from '../../site/testing/browser.ts'
import { CAN_INSTALL, newFolder, outsideEnv, ran, run, serveFolder, started, tarballs } from '../testing/outside.ts'

/** The packages as a stranger has them: packed, installed by npm in an empty folder, on the Node of the machine. */
const name = 'the packed packages in an empty folder (needs a registry of packages and chromium)'
describe.skipIf(!CAN_INSTALL || !CHROMIUM)(name, () => {
  const { folder, remove } = newFolder('Projekt')
  let browser: Browser

  /** The same little program for Node, TypeScript and browsers: what it finds must not depend on where it runs. */
  const PROGRAM = `import { dive, PbOel } from '@pb-oel/core'

export function result() {
  const assessor = new PbOel({ channels: 24, levels: 3 })
  let right = 0
  for (const { x, level: truth } of dive({ samples: 1500 })) {
    const { id, level } = assessor.assess(x)
    assessor.learn(id, level === truth ? { kind: 'confirm' } : { kind: 'reject' })
    if (level === truth) right++
  }
  return right + ' ' + assessor.snapshot().reduce((hash, byte) => Math.imul(hash ^ byte, 16777619) >>> 0, 2166136261)
}
`
  const file = (path: string, text: string) => writeFileSync(join(folder, path), text)
  const npx = (...args: string[]) => run('npx', args, folder)
  let onNode = ''

  beforeAll(async () => {
    file('package.json', '{ "type": "module", "private": true }\n')
    const { '@pb-oel/bench': _, ...packed } = tarballs(join(folder, 'tarballs'))
    ran('npm', ['install', ...Object.values(packed), 'typescript@6.0', 'vite@8', '@types/node@24'], folder)
    file('program.js', PROGRAM)
    file('plain.js', "import { result } from './program.js'\nconsole.log(result())\n")
    onNode = ran('node', ['plain.js'], folder).trim()
    browser = await openBrowser()
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    remove()
  })

  it('npx pb-oel serve --simulate dive shows the page and ends when it is told to', async () => {
    const server = started('npx', ['pb-oel', 'serve', '--simulate', 'dive', '--port', '0', '--speed', '50'], folder)
    const page = await browser.newPage()
    await page.goto(await server.says(/listens on (http\S+)/))
    await page.getByText('dive').first().waitFor()
    expect(await page.title()).toContain('pb-oel')
    await page.close()
    server.end('SIGTERM')
    await server.ended
    expect(server.said.join('')).toContain('stopping: finishing requests, saving states')
  })

  it('npx pb-oel run assesses a stream', () => {
    const { stdout, stderr, status } = npx('pb-oel', 'run', 'dive', '--samples', '2000', '--json')
    expect(status, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ stream: 'dive', samples: 2000, method: 'pb-oel' })
  })

  it('npx pb-oel bench says in one sentence how to get the benchmarks', () => {
    const { stderr, status } = npx('pb-oel', 'bench', 'kernel', '--json')
    expect(stderr).toContain('npm install @pb-oel/bench')
    expect(status).toBe(2)
  })

  it('npx pb-oel --version is that of the manifest', () => {
    const { version } = JSON.parse(readFileSync(join(folder, 'node_modules/pb-oel/package.json'), 'utf8'))
    expect(npx('pb-oel', '--version').stdout.trim()).toBe(version)
  })

  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('strict TypeScript compiles every entry with module %s, and Node runs it', (module, resolution) => {
    const entries = ['core', 'core/drift', 'core/learners', 'core/rivals', 'core/streams', 'core/laws', 'protocol']
    const others = ['lab', 'lab/csv', 'lab/table', 'lab/report', 'server']
    const imports = [...entries, ...others].map((entry, i) => `import * as entry${i} from '@pb-oel/${entry}'`)
    file('all.ts', `${imports.join('\n')}\nexport const all = [${imports.map((_, i) => `entry${i}`)}]\n`)
    file('typed.ts', PROGRAM.replace('result()', 'result(): string').concat('console.log(result())\n'))
    const how = ['--module', module, '--moduleResolution', resolution, '--types', 'node', '--outDir', 'out']
    const { stdout, status } = npx('tsc', '--strict', '--skipLibCheck', ...how, 'all.ts', 'typed.ts')
    expect(stdout).toBe('')
    expect(status).toBe(0)
    expect(ran('node', ['out/typed.js'], folder).trim()).toBe(onNode)
  })

  it('the programs of the READMEs run', () => {
    for (const entry of ['core', 'protocol']) {
      const readme = readFileSync(join(folder, `node_modules/@pb-oel/${entry}/README.md`), 'utf8')
      const [, code] = readme.match(/```ts\n([\s\S]*?)```/) ?? []
      file('readme.mjs', code.replace(/: Feedback =/, ' ='))
      expect(ran('node', ['readme.mjs'], folder)).not.toBe('')
    }
  })

  describe('a Vite app with a worker', () => {
    beforeAll(() => {
      file('index.html', '<!doctype html><title>app</title><script type="module" src="./main.js"></script>\n')
      const start = "new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })"
      const shown = '({ data }) => { document.title = data }'
      file('main.js', `import { result } from './program.js'\nwindow.here = result()\n${start}.onmessage = ${shown}\n`)
      file('worker.js', "import { result } from './program.js'\npostMessage(result())\n")
      file('vite.config.js', "export default { base: './', worker: { format: 'es' } }\n")
      ran('npx', ['vite', 'build', '--logLevel', 'warn'], folder)
    })

    const open = async (policy: string) => {
      const warnings: string[] = []
      const page = await browser.newPage()
      page.on('console', (message) => warnings.push(message.text()))
      await page.goto(await serveFolder(join(folder, 'dist'), { 'content-security-policy': policy }))
      await page.waitForFunction(() => /^\d+ \d+$/.test(document.title), undefined, { timeout: 60_000 })
      const results = await page.evaluate(() => [(window as unknown as { here: string }).here, document.title])
      await page.close()
      return { results, warnings: warnings.filter((text) => text.includes('pb-oel')) }
    }

    it('finds what Node finds, in the page and in the worker', async () => {
      const { results, warnings } = await open("default-src 'self'; script-src 'self' 'wasm-unsafe-eval'")
      expect(results).toEqual([onNode, onNode])
      expect(warnings).toEqual([])
    })

    it('finds the same where the policy forbids WebAssembly, and warns once in each', async () => {
      const { results, warnings } = await open("default-src 'self'; script-src 'self'")
      expect(results).toEqual([onNode, onNode])
      expect(warnings).toHaveLength(2)
      for (const text of warnings) expect(text).toContain("lacks 'wasm-unsafe-eval'")
    })
  })

  it('a Node that is too old and finds no other says what to install', () => {
    const env = outsideEnv({ npm_config_registry: 'http://127.0.0.1:9/', npm_config_cache: join(folder, 'empty') })
    const script =
      "Object.defineProperty(process.versions, 'node', { value: '22.0.0' })\nawait import('pb-oel/bin/pb-oel.js')"
    file('old.mjs', script)
    const { stderr, status } = run('node', ['old.mjs', '--version'], folder, { ...env, npm_config_fetch_retries: '0' })
    expect(stderr).toMatch(/install Node 24 from \S+ and run the command again\.$/m)
    expect(status).toBe(1)
  })
})
