import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { CHROMIUM, CHROMIUM_SHELL } from '../../../../test/support/needs.ts'
import { ChildServer } from '../../../server/src/testing/child-server.ts'

export { CHROMIUM }
/** Stands behind the name of what is skipped. */
export const SKIPPED = CHROMIUM ? '' : ' (needs chromium)'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--enable-precise-memory-info',
]

/** A headless browser. */
export function openBrowser(program = CHROMIUM_SHELL): Promise<Browser> {
  return chromium.launch({ executablePath: program, args: FLAGS })
}

/** A page at an address of the server, as one person sees it; errors of the page end up in `errors`. */
export async function openPage(
  browser: Browser,
  server: TestServer,
  hash: string,
  options: BrowserContextOptions & { token?: string; clockOffset?: number } = {},
) {
  const { token, clockOffset, ...rest } = options
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...rest })
  // A busy machine may take long; what never comes fails by the limit of the test.
  context.setDefaultTimeout(120_000)
  if (token !== undefined) {
    await context.addInitScript((text) => sessionStorage.setItem('pb-oel:token', text), token)
  }
  // The clock of this browser is wrong by so many milliseconds.
  if (clockOffset !== undefined) {
    await context.addInitScript((offset) => {
      const right = Date.now
      Date.now = () => right() + offset
    }, clockOffset)
  }
  const page: Page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(`${server.url}/${hash}`)
  return { page, context, errors }
}

/** How far the wall clock of a test server jumps. The half minute is not shown: the machine's own clock may drift. */
const JUMP = 3_630_000
/** Makes it jump when the process gets the signal. */
const JUMPY = `const right = Date.now; let off = 0; Date.now = () => right() + off; process.on('SIGUSR2', () => (off += ${JUMP}))`

/** The real server with the simulated dive, as a process of its own. */
export class TestServer {
  url = ''
  private readonly folder = mkdtempSync(join(tmpdir(), 'pb-oel-web-'))
  private child: ChildServer | undefined
  private port = 0
  /** Goes with every request of the test itself. */
  token: string | undefined

  /** Starts a server whose dive stands still. */
  static async start(): Promise<TestServer> {
    const server = new TestServer()
    await server.run()
    return server
  }

  /** Starts it, or starts it again: same store, same port. */
  async run(): Promise<void> {
    const simulate = { system: 'dive', speed: 0, answers: 0.8, labels: 0.05 }
    const options = { store: join(this.folder, 'store.db'), port: this.port, simulate }
    this.child = await ChildServer.start(options, ['--import', `data:text/javascript,${encodeURIComponent(JUMPY)}`])
    this.url = this.child.url
    this.port = Number(new URL(this.url).port)
  }

  /** Ends the process, the way a restart of the machine does. */
  async kill(): Promise<void> {
    await this.child?.kill()
  }

  /** Its wall clock jumps forwards by an hour. */
  jump(): void {
    if (this.child) process.kill(this.child.pid, 'SIGUSR2')
  }

  async stop(): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** One request of the test itself. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  async call<T = any>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.status === 204 ? (undefined as T) : ((await response.json()) as T)
  }

  /** Lets the dive go on until there are so many samples, then stand still. */
  async dive(samples: number, answers = 0.5): Promise<void> {
    await this.call('PATCH', '/v1/simulation', { speed: 500, answers })
    while ((await this.call('GET', '/v1/systems/dive')).samples < samples) await pause(50)
    await this.call('PATCH', '/v1/simulation', { speed: 0 })
  }

  /** Answers and corrections in the log, newest first. */
  async answers(): Promise<{ kind: string; body: { assessment: number; kind: string; level?: number; by: string } }[]> {
    return (await this.call('GET', '/v1/systems/dive/log?kinds=feedback,correction&latest=true&limit=1000')).records
  }

  /** Makes tokens; from the first on the server asks everybody for one. Names are roles. */
  async tokens<R extends string>(...names: R[]): Promise<Record<R | 'admin', string>> {
    const made: Record<string, string> = {}
    for (const name of ['admin', ...names]) {
      const roles = [name.replace(/-.*/, '')]
      made[name] = (await this.call('POST', '/v1/tokens', { name, roles })).token
      this.token ??= made.admin
    }
    return made as Record<R | 'admin', string>
  }
}

/** Number of the question in view, once there is one that can be answered and it is not `other`. */
export async function askedQuestion(page: Page, other = -1): Promise<number> {
  const line = page.locator('article[aria-busy="false"]').getByText(/^Question [\d,]+,/)
  for (;;) {
    const number = Number(/Question ([\d,]+)/.exec((await line.textContent()) as string)?.[1].replaceAll(',', ''))
    if (number !== other) return number
    await pause(20)
  }
}

/** Waits. */
export const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))

/** Goes to another view as a link does: the page stays as it is loaded. */
export function go(page: Page, hash: string): Promise<void> {
  return page.evaluate((address) => {
    location.hash = address
  }, hash)
}
