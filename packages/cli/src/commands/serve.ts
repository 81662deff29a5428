import { findMethod, OptionError } from '@pb-oel/core'
import { loadExtensions, moduleTitle, moduleUrl, openStream, splitAddress, streamModules } from '@pb-oel/lab'
import type { Config, Role, ServeOptions } from '@pb-oel/server'
import { Command, Option } from 'commander'
import { integer, moduleOption, number, words } from '../arguments.ts'

interface Options {
  config?: string
  host?: string
  port?: number
  store?: string
  tlsCert?: string
  tlsKey?: string
  mqtt?: string
  telemetry?: string
  nats?: string
  shards?: number
  cluster?: string
  advertise?: string
  allowOldNats?: true
  simulate?: string
  beside?: string[]
  speed: number
  newToken?: Role
  name: string
  module?: string[]
  threads?: number
}

/** `pb-oel serve`: the real-time service. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('run the real-time service: samples in, safety levels out, reviewers answer, nothing is lost')
    .option('--port <n>', 'port to listen on (default: 8400)', integer(0, 65_535))
    .option('--host <address>', 'address to listen on; beyond this machine only with tokens (default: 127.0.0.1)')
    .option('--store <file>', 'file of the store (default: ./pb-oel.db)')
    .option('--config <file>', 'configuration in JSON; the options here win over it')
    .option('--tls-cert <file>', 'certificate in PEM')
    .option('--tls-key <file>', 'its key in PEM')
    .option('--mqtt <url>', 'also take samples from and publish to this MQTT broker')
    .option('--telemetry <url>', 'also send traces and log lines to this OTLP/HTTP receiver (OpenTelemetry)')
    .option(
      '--nats <urls>',
      'keep the log in NATS JetStream and be one of several workers: nats://a:4222,nats://b:4222',
    )
    .option(
      '--shards <n>',
      'with --nats: parts the systems are spread over, fixed at the first start (default: 64)',
      integer(1, 1024),
    )
    .option('--cluster <name>', 'with --nats: name of the cluster (default: pb-oel)')
    .option(
      '--advertise <url>',
      'with --nats: address at which the other workers reach this one (default: where it listens)',
    )
    .option(
      '--allow-old-nats',
      'with --nats: also use servers before 2.11, which have been seen to lose acknowledged messages',
    )
    .option(
      '--threads <n>',
      'threads that the systems are spread over; 0 keeps them all in the main one (default: cores less one)',
      integer(0, 256),
    )
    .addOption(moduleOption())
    .option(
      '--simulate <stream>',
      'stream a dive, another generator, a file or a module in, with a simulated reviewer: dive, ./waves.ts, plant.csv',
    )
    .option(
      '--beside <methods>',
      'with --simulate: methods, separated by commas, that assess the same samples, each in a system of its own',
      words,
    )
    .option('--speed <n>', 'samples per second of the simulation', number(0, 10_000), 20)
    .addOption(
      new Option('--new-token <role>', 'make a token in the store, print it this once, and end').choices([
        'sensor',
        'reviewer',
        'viewer',
        'admin',
        // The former name of reviewer.
        'expert',
      ]),
    )
    .option('--name <name>', 'whose token it is', 'admin')
    .action(run)
    .addHelpText(
      'after',
      `
Examples:
  $ pb-oel serve --simulate dive --beside pb-oel
  $ pb-oel serve --store plant.db --new-token admin --name alice
  $ pb-oel serve --module ./parrot.ts
  $ pb-oel serve --store fleet.db --threads 4
  $ pb-oel serve --store plant.db --config bridges.json --telemetry http://127.0.0.1:4318
  $ pb-oel serve --nats nats://a:4222,nats://b:4222,nats://c:4222 --shards 64
  $ pb-oel serve --store plant.db --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem --mqtt mqtt://broker`,
    )
}

async function run(options: Options): Promise<void> {
  // Only here: other commands start faster without it.
  const { createToken, readConfig, serve } = await import('@pb-oel/server')
  const { modules = [], ...config }: Config = options.config === undefined ? {} : readConfig(options.config)
  const { host = config.host, port = config.port, store = config.store ?? './pb-oel.db' } = options
  const nats = natsOptions(options, config)
  if (options.newToken !== undefined) {
    const text = await createToken(nats ?? store, { name: options.name, roles: [options.newToken], systems: ['*'] })
    process.stdout.write(`${text}\n`)
    process.stderr.write('This is the only time the token is shown.\n')
    return
  }
  const { tlsCert: cert = config.tls?.cert, tlsKey: key = config.tls?.key } = options
  const names = [...modules, ...(options.module ?? [])]
  const extensions = await loadExtensions(names)
  const server = await serve({
    ...config,
    host,
    port,
    store,
    extensions,
    moduleFiles: Object.fromEntries(names.map((name) => [name, moduleUrl(name)])),
    ...(cert !== undefined && key !== undefined && { tls: { cert, key } }),
    ...(nats && { nats }),
    ...(options.threads !== undefined && { threads: options.threads }),
    ...(options.telemetry !== undefined && { telemetry: { ...config.telemetry, url: options.telemetry } }),
    ...(options.mqtt !== undefined && { mqtt: { ...config.mqtt, url: options.mqtt } }),
    ...(options.simulate !== undefined && { simulate: await simulation(options.simulate, options) }),
  })
  process.stderr.write(`pb-oel listens on ${server.url}\n`)
  await new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        // A second signal ends the process at once; the log has everything that was acknowledged.
        process.once(signal, () => process.exit(1))
        process.stderr.write('stopping: finishing requests, saving states\n')
        done()
      })
    }
  })
  await server.stop()
}

/** The simulation of a stream by its address. Generators take another seed each time the stream begins anew. */
async function simulation(address: string, { speed, beside }: Options): Promise<ServeOptions['simulate']> {
  for (const method of beside ?? []) findMethod(method)
  const extensions = await loadExtensions(streamModules(address))
  const open = (round: number) => openStream(address, { seed: 1 + round }, extensions)
  return { system: systemName(address), speed, answers: 0.8, labels: 0.05, open, beside }
}

/** What the system of a simulated stream is called: a generator's name, or that of the file without its endings. */
function systemName(address: string): string {
  const name = moduleTitle(splitAddress(address).name)
  return (
    name
      .replace(/^.*[\\/]/, '')
      .replace(/\..*$/, '')
      .replace(/[^\w.-]+/g, '-') || 'simulation'
  )
}

function natsOptions(options: Options, config: ServeOptions): ServeOptions['nats'] {
  const { nats, shards, cluster, advertise, allowOldNats } = options
  const servers = nats ?? config.nats?.servers
  if (servers === undefined) {
    const given = Object.entries({ shards, cluster, advertise, 'allow-old-nats': allowOldNats }).find(
      ([, value]) => value !== undefined,
    )
    if (given) throw new OptionError(`--${given[0]}`, given[1], 'left out where there is no --nats')
    return undefined
  }
  const own = Object.entries({ shards, cluster, advertise, allowOldServers: allowOldNats }).filter(
    ([, value]) => value !== undefined,
  )
  return { ...config.nats, servers, ...Object.fromEntries(own) }
}
