import { defineConfig } from 'vite'

/** The bundle the server serves at `/`: relative addresses, so that it also works behind a path of a proxy. */
export default defineConfig({
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { target: 'es2022', modulePreload: { polyfill: false }, reportCompressedSize: false },
})
