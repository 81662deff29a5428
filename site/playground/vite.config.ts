import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { catalogue } from './catalogue.ts'

/** What the page lists, taken from core at build time, so that only the workers carry core itself. */
function catalogueModule(): Plugin {
  const name = 'virtual:catalogue'
  return {
    name: 'catalogue',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? `export default ${JSON.stringify(catalogue())}` : undefined),
  }
}

/** A page opened from disk may not load modules: the bundle is one classic script, run after the page is read. */
function classicScript(): Plugin {
  return {
    name: 'classic-script',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace('<script type="module" crossorigin', '<script defer'),
    },
    closeBundle() {
      const { outDir } = this.environment.config.build
      copyFileSync(join(import.meta.dirname, '../../packages/web/public/icon.svg'), join(outDir, 'icon.svg'))
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [catalogueModule(), classicScript()],
  worker: { format: 'iife' },
  build: {
    target: 'es2022',
    modulePreload: false,
    reportCompressedSize: false,
    rollupOptions: { output: { format: 'iife' } },
  },
})
