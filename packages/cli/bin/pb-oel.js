#!/usr/bin/env node
// Plain JavaScript that old Nodes can read. In a clone it runs the sources, installed it runs dist.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { NEEDED, onNewerNode } from './newer-node.js'

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  // Compiled code is kept between runs, so that a command begins in a third of the time.
  module.enableCompileCache()
  const sources = existsSync(fileURLToPath(new URL('../src/main.ts', import.meta.url)))
  await import(sources ? '../src/main.ts' : '../dist/main.js')
} else onNewerNode(process.argv.slice(1))
