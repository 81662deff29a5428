import { readFileSync } from 'node:fs'
import { BridgeRule, NewSystem, name, reader, strict, word } from '@pb-oel/protocol'
import { type Static, Type } from '@sinclair/typebox'
import { SetupError } from './errors.ts'

const positive = Type.Number({ exclusiveMinimum: 0 })
const count = Type.Integer({ minimum: 1 })

const Webhook = Type.Object(
  { url: Type.String({ pattern: '^https?://' }), secret: Type.String({ minLength: 16 }) },
  strict,
)

/** Who an escalation can tell: by one of these ways. */
const Receiver = Type.Object(
  {
    webhook: Type.Optional(Webhook),
    mqtt: Type.Optional(Type.String({ pattern: '^[^#+]+$', description: 'a topic of the broker of mqtt' })),
    email: Type.Optional(Type.Array(Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$' }), { minItems: 1, maxItems: 50 })),
  },
  { ...strict, minProperties: 1, maxProperties: 1 },
)
export type Receiver = Static<typeof Receiver>

/** The configuration file of a server; the command line wins over it. */
const ConfigSchema = Type.Object(
  {
    host: Type.Optional(Type.String({ description: 'address to listen on' })),
    port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
    store: Type.Optional(Type.String({ description: 'file of the store' })),
    tls: Type.Optional(
      Type.Object({ cert: Type.String(), key: Type.String() }, { ...strict, description: 'files in PEM' }),
    ),
    mqtt: Type.Optional(
      Type.Object(
        {
          url: Type.String(),
          clientId: Type.Optional(Type.String()),
          username: Type.Optional(Type.String()),
          password: Type.Optional(Type.String()),
        },
        strict,
      ),
    ),
    nats: Type.Optional(
      Type.Object(
        {
          servers: Type.String({ description: 'nats://a:4222,nats://b:4222' }),
          cluster: Type.Optional(Type.String({ pattern: '^[\\w-]+$', description: 'name of the cluster' })),
          shards: Type.Optional(Type.Integer({ minimum: 1, maximum: 1024 })),
          replicas: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
          advertise: Type.Optional(
            Type.String({ pattern: '^https?://', description: 'address the other workers reach this one at' }),
          ),
          leaseSeconds: Type.Optional(Type.Number({ minimum: 1, maximum: 300 })),
          allowOldServers: Type.Optional(
            Type.Boolean({ description: 'also servers before 2.11, which lose acknowledged messages now and then' }),
          ),
        },
        { ...strict, description: 'the log is in JetStream, and this server is one of several workers' },
      ),
    ),
    bridges: Type.Optional(
      Type.Array(BridgeRule, { description: "the plant's own buses: mqtt, sparkplug, opcua, kafka (docs/connect.md)" }),
    ),
    telemetry: Type.Optional(
      Type.Object(
        {
          url: Type.String({ pattern: '^https?://', description: 'OTLP/HTTP receiver, such as http://127.0.0.1:4318' }),
          headers: Type.Optional(Type.Record(Type.String(), Type.String())),
          service: Type.Optional(Type.String({ minLength: 1, description: 'service.name; default pb-oel' })),
          share: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'of the traces that are sent' })),
        },
        { ...strict, description: 'traces and log lines for OpenTelemetry; off when left out' },
      ),
    ),
    webhooks: Type.Optional(Type.Array(Webhook)),
    receivers: Type.Optional(
      Type.Record(name('receiver'), Receiver, { description: 'who an escalation can tell, by name (docs/alarms.md)' }),
    ),
    smtp: Type.Optional(
      Type.Object(
        {
          host: Type.String({ minLength: 1 }),
          port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
          secure: Type.Optional(Type.Boolean({ description: 'TLS from the first byte; default false: when offered' })),
          username: Type.Optional(Type.String()),
          password: Type.Optional(Type.String()),
          from: Type.String({ pattern: '@', description: 'such as pb-oel <alarms@example.com>' }),
        },
        { ...strict, description: 'the server that takes mail to receivers' },
      ),
    ),
    limits: Type.Optional(
      Type.Partial(
        Type.Object({
          bodyBytes: count,
          requestsPerSecond: count,
          connections: count,
          connectionsPerAddress: count,
          headSeconds: positive,
          streams: count,
          idleSeconds: positive,
          systemMegabytes: positive,
          operationSeconds: count,
        }),
        strict,
      ),
    ),
    retention: Type.Optional(
      Type.Object(
        {
          records: Type.Integer({
            minimum: 1_000,
            description: 'kept per system; older ones are removed once an hour',
          }),
        },
        strict,
      ),
    ),
    backups: Type.Optional(
      Type.Object(
        {
          folder: Type.Optional(Type.String({ description: 'where they go; beside the store when left out' })),
          everyHours: Type.Optional(Type.Number({ minimum: 0.01, maximum: 500, description: 'hours between two' })),
          keep: Type.Optional(Type.Integer({ minimum: 1, description: 'older ones than so many are removed' })),
        },
        strict,
      ),
    ),
    threads: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 256,
        description: 'threads that the systems are spread over; 0: none but the main one',
      }),
    ),
    snapshotEvery: Type.Optional(
      Type.Integer({ minimum: 100, description: 'records between two snapshots of a system' }),
    ),
    trustProxy: Type.Optional(
      Type.Boolean({
        description:
          'take the address of clients from X-Forwarded-For; only behind a proxy that sets it, since clients could lie',
      }),
    ),
    origins: Type.Optional(
      Type.Array(Type.String({ pattern: '^https?://[^/]+$' }), {
        description: 'pages of these origins may use the API from a browser, such as https://hmi.example; default none',
      }),
    ),
    logLevel: Type.Optional(word(['error', 'warn', 'info', 'debug', 'silent'])),
    modules: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: 'methods, detectors and learners from outside: paths from the working directory, or packages',
      }),
    ),
    systems: Type.Optional(Type.Array(NewSystem, { description: 'made at the start where they do not exist' })),
  },
  strict,
)

/** The fields of the configuration file, as the schema above describes them. */
export type Config = Static<typeof ConfigSchema>

const check = reader(ConfigSchema, '')

/** Reads and checks a configuration file. */
export function readConfig(file: string): Config {
  try {
    return check(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    const { message } = error as Error
    throw new SetupError(`${file}: ${message.replace(/^\//, '').replace(/^: /, 'the file: ')}`)
  }
}
