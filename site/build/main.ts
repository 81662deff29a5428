import { join } from 'node:path'
import { buildSite } from './build-site.ts'

const root = join(import.meta.dirname, '../..')
const out = join(root, 'site/dist')
const { pages, broken } = await buildSite(root, out)
for (const line of broken) console.error(line)
console.log(`${pages} pages in site/dist; open site/dist/index.html`)
process.exitCode = broken.length === 0 ? 0 : 1
