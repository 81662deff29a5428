/** A way to send samples. */
export type Way = 'curl' | 'python' | 'mqtt' | 'line'

/** Paste-ready words that send one sample. */
export interface SnippetData {
  /** Address of the server. */
  origin: string
  system: string
  channels: readonly string[]
  /** `undefined` where the server needs none. */
  token: string | undefined
}

/** Channels that a snippet shows by name; with more it sends a list. */
const FEW = 6

/** The snippet of a way. */
export function snippet(way: Way, data: SnippetData): string {
  return { curl, python, mqtt, line }[way](data)
}

/** A sample of zeros, which people replace by their readings. */
function sampleOf(channels: readonly string[]): string {
  return channels.length <= FEW
    ? `{ ${channels.map((name) => `${JSON.stringify(name)}: 0`).join(', ')} }`
    : `[${channels.map(() => 0).join(', ')}]`
}

function curl({ origin, system, channels, token }: SnippetData): string {
  const address = `${origin}/v1/systems/${system}/samples`
  const auth = token === undefined ? '' : ` \\\n  -H 'authorization: Bearer ${token}'`
  const body = shellQuoted(`{ "values": ${sampleOf(channels)} }`)
  return `curl --fail-with-body ${address} \\\n  -H 'content-type: application/json'${auth} \\\n  -d ${body}`
}

function python({ origin, system, channels, token }: SnippetData): string {
  const key = token === undefined ? '' : `, token=${JSON.stringify(token)}`
  return [
    '# pip install pb-oel',
    'from pb_oel import Client',
    '',
    `with Client(${JSON.stringify(origin)}${key}) as service:`,
    `    system = service.system(${JSON.stringify(system)})`,
    `    print(system.assess(${sampleOf(channels)})["levelName"])`,
  ].join('\n')
}

function mqtt({ system, channels }: SnippetData): string {
  const body = shellQuoted(`{ "values": ${sampleOf(channels)} }`)
  return `mosquitto_pub -h BROKER -q 1 -t 'pb-oel/${system}/sample' -m ${body}`
}

function line({ origin, system, channels, token }: SnippetData): string {
  const auth = token === undefined ? '' : ` \\\n  -H 'authorization: Token ${token}'`
  const fields = channels.map((name) => `${name.replace(/[ ,=\\]/g, (sign) => `\\${sign}`)}=0`).join(',')
  const address = `${origin}/api/v2/write?bucket=${system}&precision=s`
  return `curl --fail-with-body '${address}'${auth} \\\n  --data-binary ${shellQuoted(`readings ${fields}`)}`
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
