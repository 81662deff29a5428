import { defineConfig } from 'vite'

/** The bundle that the server serves at `/`. Relative addresses let it work behind a path of a proxy too. */
export default defineConfig({
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { target: 'es2022', modulePreload: { polyfill: false }, reportCompressedSize: false },
})
