// What tests need that leave the clone: programs run as a stranger would run them, with the machine's own Node.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join, normalize, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { packAll } from '../../scripts/pack.ts'

export const ROOT = resolve(import.meta.dirname, '../..')

/** The environment outside the clone: no programs of the clone on the path, nothing that npm tells its scripts. */
export function outsideEnv(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(package|lifecycle|command|execpath|node|config_(local_)?prefix)|INIT_CWD|NODE_ENV|VITEST)/.test(name),
  )
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !/[\\/]node_modules[\\/]/.test(folder))
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(delimiter),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
    npm_config_min_release_age: '30',
    ...more,
  }
}

/** Runs a program to its end. */
export function run(program: string, args: readonly string[], cwd: string, env = outsideEnv()) {
  return spawnSync(program, args, { cwd, env, encoding: 'utf8', shell: process.platform === 'win32', timeout: 240_000 })
}

/** Runs a program that must succeed, and gives what it printed. */
export function ran(program: string, args: readonly string[], cwd: string, env = outsideEnv()): string {
  const { status, stdout, stderr, error } = run(program, args, cwd, env)
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`)
  return stdout
}

/** Whether packages can be fetched here; tests that install some are skipped where not. */
export const CAN_INSTALL = run('npm', ['view', 'commander', 'version'], tmpdir()).status === 0

/** A new folder whose path has a space and umlauts, as homes of people have. */
export function newFolder(name: string): { folder: string; remove: () => void } {
  const top = mkdtempSync(join(tmpdir(), 'pb-oel-outside-'))
  const folder = join(top, `${name} für Müller`)
  mkdirSync(folder)
  return { folder, remove: () => rmSync(top, { recursive: true, maxRetries: 5 }) }
}

/** Tarballs of the packages, by name. */
export const tarballs = (folder: string): Record<string, string> => packAll(folder)

/** A program that goes on running; ended with the test at the latest. */
export function started(program: string, args: readonly string[], cwd: string, env = outsideEnv()) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => said.push(String(text)))
  const ended = new Promise<number | null>((done) => child.on('exit', done))
  const end = (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, signal)
  }
  onTestFinished(() => end('SIGKILL'))
  /** Waits until the program has said something that matches, and gives the first group; the test says how long. */
  const says = (pattern: RegExp): Promise<string> =>
    new Promise((found, failed) => {
      const look = () => {
        const match = said.join('').match(pattern)
        if (match) found(match[1])
      }
      for (const stream of [child.stdout, child.stderr]) stream.on('data', look)
      child.once('close', () => failed(new Error(`${program} did not say ${pattern}: ${said.join('')}`)))
      look()
    })
  return { says, ended, end, said }
}

const TYPES: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' }

/** Serves the files of a folder with these headers; gives the address. */
export async function serveFolder(folder: string, headers: Record<string, string> = {}): Promise<string> {
  const server = createServer((request, response) => {
    const path = join(folder, normalize(decodeURI(request.url ?? '/')))
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path
    if (!existsSync(file)) return response.writeHead(404).end()
    const type = TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type, ...headers }).end(readFileSync(file))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
