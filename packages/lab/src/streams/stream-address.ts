import { isModule } from '../modules/module-name.ts'

/** How the name of a stream's file ends. */
export const STREAM_FILE = /\.(csv|tsv|tab|arff|ndjson|jsonl|parquet)(\.gz)?$/i

/** The address of one stream in its parts: `dive:seed=3` is the name `dive` and the settings `seed=3`. */
export interface StreamAddress {
  name: string
  settings: string
}

/** Splits the address of one stream at the colon behind its name. The path of a module may hold colons of its own. */
export function splitAddress(address: string): StreamAddress {
  const [, name, settings = ''] = address.match(/^(.*?\.m?[tj]s|@[^:]+|[^:]*)(?::(.*))?$/is) as RegExpMatchArray
  return { name, settings }
}

/** The modules that an address names, also within drift between streams: `abrupt:at=500+./waves.ts:seed=3+sea`. */
export function streamModules(address: string): string[] {
  return address
    .split('+')
    .map((part) => splitAddress(part).name)
    .filter(isModule)
}
