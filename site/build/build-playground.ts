import { join } from 'node:path'
import { build } from 'vite'

/** Builds the playground into a folder. */
export async function buildPlayground(folder: string): Promise<void> {
  await build({
    configFile: join(import.meta.dirname, '../playground/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true },
  })
}
