import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const THEME = join(import.meta.dirname, '../theme')
const WEB = join(import.meta.dirname, '../../packages/web/src')

/** The style sheet, with the colours and type of the control room, and the script of the docs' pages. */
export async function buildAssets(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const shared = ['styles/tokens.css', 'styles/base.css', 'chrome/chrome.css'].map((file) => join(WEB, file))
  const styles = [...shared, join(THEME, 'site.css')]
  writeFileSync(join(folder, 'site.css'), styles.map((file) => readFileSync(file, 'utf8')).join('\n'))
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      lib: { entry: join(THEME, 'site.ts'), formats: ['iife'], name: 'pbOelSite', fileName: () => 'site.js' },
    },
  })
}
