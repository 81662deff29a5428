import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Instruction, stagesOf, textsOf } from '../testing/dockerfile.ts'
import { CAN_INSTALL, newFolder, outsideEnv, ROOT, ran, started } from '../testing/outside.ts'

/** Runs the COPY and RUN steps of each stage in a folder of its own that stands for the root of its image. */
describe.skipIf(!CAN_INSTALL)('the steps of deploy/Dockerfile (needs a registry of packages)', () => {
  const { folder, remove } = newFolder('Bild')
  const stages = stagesOf(readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8'))
  const nameOf = (stage: Instruction[], i: number) => stage[0].text.match(/ AS (\w+)$/)?.[1] ?? String(i)
  const rootOf = (name: string) => join(folder, name)
  const image = rootOf(String(stages.length - 1))
  // node:24-slim has Node 24, which here is the one of the clone.
  const env = outsideEnv({ PATH: `${dirname(process.execPath)}:${outsideEnv().PATH}` })

  /** Absolute paths of a step, moved under the folder that stands for the root. */
  const moved = (command: string, root: string) => command.replaceAll(/(^|\s)\/(\w+)/g, `$1"${root}"/$2`)

  function runStage(stage: Instruction[], i: number): void {
    const root = rootOf(nameOf(stage, i))
    mkdirSync(root)
    let cwd = root
    for (const { name, text } of stage) {
      if (name === 'WORKDIR') cwd = join(root, text)
      mkdirSync(cwd, { recursive: true })
      if (name === 'COPY') copy(text, root, cwd)
      if (name !== 'RUN') continue
      const command = moved(text, root).replace('chown node:node', `chown ${process.getuid?.()}:${process.getgid?.()}`)
      ran('sh', ['-euc', command], cwd, env)
    }
  }

  function copy(text: string, root: string, cwd: string): void {
    const [, from, source, target] = text.match(/^(?:--from=(\w+) )?(\S+) (\S+)$/) ?? []
    if (from !== undefined) {
      cpSync(join(rootOf(from), source), join(root, target), { recursive: true })
      return
    }
    expect([source, target]).toEqual(['.', '.'])
    const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
    for (const file of files
      .trim()
      .split('\n')
      .filter((file) => existsSync(join(ROOT, file)))) {
      cpSync(join(ROOT, file), join(cwd, file))
    }
  }

  beforeAll(() => stages.forEach(runStage))
  afterAll(remove)

  it('leave only what is needed at run time', () => {
    expect(readdirSync(image).sort()).toEqual(['app', 'data'])
    const modules = readdirSync(join(image, 'app/node_modules'))
    for (const name of ['pb-oel', 'fastify', 'mqtt']) expect(modules).toContain(name)
    for (const name of ['vitest', 'typescript', 'vite', 'node', 'playwright-core']) expect(modules).not.toContain(name)
    const size = Number(spawnSync('du', ['-sm', image], { encoding: 'utf8' }).stdout.split('\t')[0])
    console.log(`what the image adds to that of Node: ${size} MB`)
    expect(size).toBeLessThan(150)
  })

  it('make a server that shows the dashboard, is healthy and keeps its store in /data', async () => {
    const last = stages.at(-1) ?? []
    const [entry, command, healthy] = ['ENTRYPOINT', 'CMD', 'HEALTHCHECK'].map((name) => {
      const [text] = textsOf(last, name)
      return JSON.parse(text.slice(text.indexOf('['))) as string[]
    })
    const here = [...entry, ...command]
      .map((word) => word.replace(/^\/(app|data)/, `${image}/$1`))
      .map((word) => (word === '0.0.0.0' ? '127.0.0.1' : word))
    const [program, ...args] = [...here, '--port', '0']
    const variables = Object.fromEntries(textsOf(last, 'ENV').map((text) => text.split('=')))
    const server = started(program, args, join(image, 'data'), { ...env, ...variables })
    const url = await server.says(/listens on (http\S+)/)
    expect(await (await fetch(url)).text()).toContain('<title>pb-oel')
    const check = healthy.map((word) => word.replace('http://127.0.0.1:8400', url))
    const code = (words: string[]) => spawnSync(words[0], words.slice(1), { env }).status
    expect(code(check)).toBe(0)
    server.end('SIGTERM')
    await server.ended
    expect(code(check)).toBe(1)
    expect(readdirSync(join(image, 'data')).some((name) => name.startsWith('pb-oel.db'))).toBe(true)
  })
})
