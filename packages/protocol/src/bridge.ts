import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { SystemId } from './configuration.ts'
import { name, strict } from './field.ts'
import { word } from './word.ts'

const text = (description: string, maxLength = 300) => Type.String({ minLength: 1, maxLength, description })
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const milliseconds = (minimum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum: 86_400_000, description: `milliseconds ${description}` }))
const pointer = (description: string) =>
  Type.String({
    maxLength: 300,
    pattern: '^(/.*)?$',
    description: `JSON pointer to ${description}; "" is the whole message`,
  })
const system = text('name of the system; {name} stands for what the pattern took, {/pointer} for a text of the message')

/** How the readings of several messages become one sample. */
export const JoinRule = Type.Object(
  {
    by: word(
      ['message', 'time', 'tick', 'latest'],
      'message: each message is a sample; time: messages of one time are; tick: messages of one tick are; latest: the ' +
        'latest value of every channel, at each message or every so often',
    ),
    within: milliseconds(1, 'to whose multiples times are rounded, with time'),
    wait: milliseconds(10, 'until a sample is taken without what has not come, with time and tick; default 1000'),
    every: milliseconds(10, 'between two samples, with latest; default: one at each message'),
    lasts: milliseconds(10, 'for which a value stands for its channel, with latest'),
  },
  { ...strict, description: 'how readings become samples' },
)
export type JoinRule = Static<typeof JoinRule>

/** What of a message goes to which channel of which system. */
export const MessageRule = Type.Object(
  {
    topic: text('topic; + or {name} stands for one level, # for all that follow'),
    system,
    values: Type.Record(Type.String(), pointer('the number'), {
      minProperties: 1,
      description: 'by channel, whose name may hold {name} as well: where in the message its number is',
    }),
    time: optional(pointer('the moment: a number, or a text in ISO 8601')),
    timeUnit: optional(word(['s', 'ms', 'us', 'ns'], 'unit of a moment that is a number; default ms')),
    tick: optional(pointer('the tick: a number or a text that all messages of one sample share')),
    id: optional(pointer('what a message that comes twice is recognised by')),
  },
  strict,
)
export type MessageRule = Static<typeof MessageRule>

/** A rule to be tried on one message. */
export const GivenMapping = Type.Object(
  {
    rule: MessageRule,
    topic: Type.String({ maxLength: 1000, description: 'topic of the message' }),
    message: Type.String({ maxLength: 100_000, description: 'the message: JSON, or a plain number' }),
  },
  strict,
)
export type GivenMapping = Static<typeof GivenMapping>

/** What a rule makes of a message. */
export const MappedMessage = Type.Object({
  matches: Type.Boolean({ description: 'whether the topic fits the rule; the rest is absent where it does not' }),
  system: Type.Optional(Type.String()),
  values: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.Number(), Type.Null()]), { description: 'by channel; null: missing' }),
  ),
  unknown: Type.Optional(
    Type.Array(Type.String(), { description: 'channels among them that the system does not have; they are ignored' }),
  ),
  at: Type.Optional(Type.Number({ description: 'moment of the sensor, milliseconds since 1970' })),
  tick: Type.Optional(Type.String()),
})
export type MappedMessage = Static<typeof MappedMessage>

const common = {
  name: optional(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$', description: 'default: its kind' })),
  join: optional(JoinRule),
}
const broker = {
  url: text('such as mqtt://broker:1883 or mqtts://broker'),
  clientId: optional(name('the session that the broker keeps; default: pb-oel- and the name')),
  username: optional(Type.String()),
  password: optional(Type.String()),
}
const rules = <T extends TSchema>(rule: T) => Type.Array(rule, { minItems: 1, maxItems: 10_000 })

/** The plant's own topics of an MQTT broker. */
export const MqttMapping = Type.Object(
  { kind: Type.Literal('mqtt'), ...common, ...broker, rules: rules(MessageRule) },
  { ...strict, title: 'mqtt' },
)
export type MqttMapping = Static<typeof MqttMapping>

/** Edge nodes of Sparkplug B, heard as a host application. */
export const SparkplugHost = Type.Object(
  {
    kind: Type.Literal('sparkplug'),
    ...common,
    ...broker,
    host: optional(
      Type.String({ pattern: '^[^/+#]{1,100}$', description: 'name of the host application; default pb-oel' }),
    ),
    rules: rules(
      Type.Object(
        {
          device: text('group/edge or group/edge/device; + or {name} stands for one of them'),
          system,
          metrics: optional(
            Type.Record(Type.String(), Type.String(), {
              minProperties: 1,
              description: 'by channel: the name of its metric; default: metrics that are called like a channel',
            }),
          ),
        },
        strict,
      ),
    ),
  },
  { ...strict, title: 'sparkplug' },
)
export type SparkplugHost = Static<typeof SparkplugHost>

/** The variables of an OPC UA server. */
export const OpcUaClient = Type.Object(
  {
    kind: Type.Literal('opcua'),
    ...common,
    url: Type.String({ pattern: '^opc\\.tcp://', description: 'such as opc.tcp://plc:4840' }),
    policy: optional(
      word(
        ['None', 'Basic256Sha256', 'Aes128_Sha256_RsaOaep', 'Aes256_Sha256_RsaPss'],
        'security policy; default Basic256Sha256',
      ),
    ),
    mode: optional(word(['None', 'Sign', 'SignAndEncrypt'], 'default SignAndEncrypt; None with the policy None')),
    folder: optional(text('where our certificate and the trusted ones are; default ./pb-oel-opcua')),
    trustFirst: optional(Type.Boolean({ description: "trust the server's certificate at the first meeting" })),
    username: optional(Type.String()),
    password: optional(Type.String()),
    sampling: milliseconds(10, 'between two looks of the server at a variable; default 500'),
    rules: rules(
      Type.Object(
        {
          node: text('node id, such as ns=2;s=Pump: a variable, or an object whose variables are meant'),
          system: SystemId,
          channel: optional(
            name('channel of a variable; variables of an object go to the channels they are called like'),
          ),
        },
        strict,
      ),
    ),
  },
  { ...strict, title: 'opcua' },
)
export type OpcUaClient = Static<typeof OpcUaClient>

/** Topics of Kafka. */
export const KafkaConsumer = Type.Object(
  {
    kind: Type.Literal('kafka'),
    ...common,
    brokers: Type.Array(text('host:port'), { minItems: 1 }),
    group: optional(text('consumer group; default: pb-oel- and the name')),
    from: optional(word(['earliest', 'latest'], 'where a group without offsets begins; default earliest')),
    tls: optional(Type.Boolean({ description: 'whether to speak TLS' })),
    username: optional(Type.String({ description: 'of SASL' })),
    password: optional(Type.String()),
    mechanism: optional(word(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'], 'of SASL; default PLAIN')),
    rules: rules(MessageRule),
  },
  { ...strict, title: 'kafka' },
)
export type KafkaConsumer = Static<typeof KafkaConsumer>

/** Where samples come from besides our own interfaces. */
export const BridgeRule = Type.Union([MqttMapping, SparkplugHost, OpcUaClient, KafkaConsumer], {
  description: 'a bridge whose kind is mqtt, sparkplug, opcua or kafka',
})
export type BridgeRule = Static<typeof BridgeRule>
