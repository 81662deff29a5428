import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** Pages whose blocks are run in order, as one session. */
export const PAGES_RUN = [
  'docs/tutorial.md',
  'docs/how-to/operator.md',
  'docs/how-to/plant-engineer.md',
  'docs/how-to/ml-engineer.md',
  'docs/how-to/researcher.md',
  'docs/how-to/admin.md',
  'docs/coming-from.md',
]

/** A fenced block of a page. */
interface Block {
  language: string
  text: string
}

/** What happened to one block. */
export interface BlockResult {
  text: string
  code: number | null
  output: string
}

/** The fenced blocks of a Markdown page, in order. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(/^```(\S*)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({ language, text }))
}

/**
 * Does what a page says, as a reader would: runs its `sh` blocks in order in an empty folder, keeps servers running
 * until the end, and saves `js` blocks that begin with `// name`. Its `ts` blocks are programs and are run on their
 * own.
 */
export async function runPage(page: string): Promise<BlockResult[]> {
  // Inside the repository, so that package names and npx resolve as in a clone.
  const folder = mkdtempSync(join(ROOT, 'test', '.examples-'))
  const port = await freePort()
  const servers: ChildProcess[] = []
  const results: BlockResult[] = []
  try {
    for (const [i, { language, text }] of blocksOf(page).entries()) {
      const script = text.replaceAll('127.0.0.1:8400', `127.0.0.1:${port}`)
      if (language === 'js') writeFileSync(join(folder, /^\/\/ (\S+)/.exec(text)?.[1] ?? `${i}.mjs`), script)
      else if (language === 'ts') {
        writeFileSync(join(folder, `${i}.ts`), script)
        results.push({ text, ...(await run(`${process.execPath} ${i}.ts`, folder)) })
      } else if (language === 'sh' && /pb-oel serve(?!.*--new-token)/.test(script)) {
        servers.push(await serve(`exec ${script.trim().replace('npx pb-oel', MAIN)} --port ${port}`, folder))
      } else if (language === 'sh') results.push({ text, ...(await run(`${NPX}${script}`, folder)) })
    }
    return results
  } finally {
    await Promise.all(servers.map(ended))
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The command itself: npx would leave the server behind when it is told to end. */
const MAIN = `${process.execPath} ${join(ROOT, 'packages/cli/src/main.ts')}`

/** npx takes a second to find what is here; test/release/installed.test.ts runs it as a stranger does. */
const NPX = `npx() { [ "$1" = pb-oel ] && shift && ${MAIN} "$@"; }\n`

function run(script: string, cwd: string): Promise<Omit<BlockResult, 'text'>> {
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise((done) => child.on('close', (code) => done({ code, output })))
}

async function serve(script: string, cwd: string): Promise<ChildProcess> {
  const child = spawn('bash', ['-c', script], { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  await new Promise<void>((ready, failed) => {
    let output = ''
    child.stderr.on('data', (chunk) => {
      output += chunk
      if (output.includes('listens on')) ready()
    })
    child.once('exit', () => failed(new Error(`the server ended: ${output}`)))
  })
  return child
}

function ended(child: ChildProcess): Promise<unknown> {
  const exit = new Promise((done) => child.once('exit', done))
  child.kill()
  return exit
}

function freePort(): Promise<number> {
  return new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => found(port))
    })
  })
}
