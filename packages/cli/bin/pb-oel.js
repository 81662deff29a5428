#!/usr/bin/env node
// Plain JavaScript, so that an old Node can still say what is missing. In a clone it runs the sources, installed it runs dist.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const pinned = here('../../../node_modules/.bin/node')

if (Number(process.versions.node.split('.')[0]) >= 24) {
  // Compiled code is kept between runs, so that a command begins in a third of the time.
  module.enableCompileCache()
  await import(existsSync(here('../src/main.ts')) ? '../src/main.ts' : '../dist/main.js')
} else if (existsSync(pinned)) {
  const { status } = spawnSync(pinned, process.argv.slice(1), { stdio: 'inherit' })
  process.exitCode = status ?? 1
} else {
  console.error(`pb-oel needs Node 24 or newer; this is ${process.version}.`)
  process.exitCode = 1
}
