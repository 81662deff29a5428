import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Command } from './worker.ts'

const run = promisify(execFile)

export const HERE = import.meta.dirname
/** Everything that is fetched, exported or compiled; safe to delete. */
export const CACHE = join(HERE, '.cache')
const VENV = join(HERE, '.venv')
const PYTHON = join(VENV, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')
const JARS = join(CACHE, 'moa', 'jars')
const CLASSES = join(CACHE, 'moa', 'classes')
const CLASS_PATH = [join(JARS, '*'), CLASSES, join(CACHE, 'moa', 'examples')].join(
  process.platform === 'win32' ? ';' : ':',
)

/** Minutes after which a set-up step counts as out of reach. */
const PATIENCE = 10

export const PEERS = ['numpy', 'river', 'moa', 'vw'] as const
export type Peer = (typeof PEERS)[number]

/** What each Python peer is installed as. */
const PACKAGES: Record<string, readonly string[]> = {
  numpy: ['numpy', 'scipy'],
  river: ['river'],
  vw: ['vowpalwabbit'],
}

/** Makes sure a peer is there; throws with one line when it cannot be. */
export async function setUp(peer: Peer, signal: AbortSignal): Promise<void> {
  const options = { signal, timeout: PATIENCE * 60_000, maxBuffer: 1 << 26 }
  const step = async (file: string, ...args: string[]) => {
    try {
      await run(file, args, options)
    } catch (error) {
      signal.throwIfAborted()
      const { stderr = '', message } = error as Error & { stderr?: string }
      const last = stderr.trim().split('\n').at(-1) || message.split('\n')[0]
      throw new Error(`${file.split('/').at(-1)} ${args.slice(0, 3).join(' ')} failed: ${last.slice(0, 160)}`)
    }
  }
  mkdirSync(CACHE, { recursive: true })
  if (peer === 'moa') {
    await step('javac', '-version')
    if (!existsSync(JARS)) {
      const pom = join(HERE, 'moa', 'pom.xml')
      await step('mvn', '-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${JARS}`)
    }
    await step('javac', '-cp', CLASS_PATH, '-d', CLASSES, join(HERE, 'moa', 'MoaWorker.java'))
    await step('javac', '-cp', CLASS_PATH, '-d', join(CACHE, 'moa', 'examples'), join(HERE, 'examples', 'Labels.java'))
    return
  }
  if (!existsSync(PYTHON)) await step('python3', '-m', 'venv', VENV)
  const modules = PACKAGES[peer].join(', ')
  try {
    await run(PYTHON, ['-c', `import ${modules}`], options)
  } catch {
    signal.throwIfAborted()
    await step(PYTHON, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES[peer])
  }
}

/** How a Python script of this folder is started. */
export function python(script: string, ...args: string[]): Command {
  return { file: PYTHON, args: [join(HERE, script), ...args] }
}

/** How a TypeScript program of this folder is started. */
export function node(script: string, ...args: string[]): Command {
  return { file: process.execPath, args: ['--expose-gc', join(HERE, script), ...args] }
}

/** How a TypeScript program of this folder is started on our packages as they are published. */
export function published(script: string, ...args: string[]): Command {
  return { file: process.execPath, args: ['--import', join(HERE, 'published.mjs'), join(HERE, script), ...args] }
}

/** How a Java class is started. */
export function java(name: string, ...args: string[]): Command {
  return { file: 'java', args: ['-XX:+UseSerialGC', '-cp', CLASS_PATH, name, ...args] }
}
