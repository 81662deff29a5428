import { Type } from '@sinclair/typebox'
import { AlarmMessage } from './alarm.ts'
import { GivenAnswer } from './answer.ts'
import { AssessedSample } from './assessment.ts'
import { name, strict } from './field.ts'
import { Problem } from './problem.ts'
import { SensorSample } from './sample.ts'

const id = Type.Optional(
  Type.Union([name('short text'), Type.Number()], {
    description: 'a message delivered twice is recognised by it; `mqtt:` and the id become the key',
  }),
)
const { key: _sampleKey, ...sample } = SensorSample.properties
const { key: _answerKey, ...answer } = GivenAnswer.properties
const number = Type.Union([Type.Number(), Type.Null()])

const MqttSample = Type.Union([
  Type.Object({ ...sample, id }, { ...strict, title: 'our own form' }),
  Type.Object(
    { ts: Type.Integer(), values: Type.Record(Type.String(), number), id },
    { ...strict, title: "ThingsBoard's form" },
  ),
  Type.Record(Type.String(), number, { title: 'numbers by channel name' }),
])
const MqttAnswer = Type.Object({ ...answer, id }, strict)

/** One or several in one message. */
const some = <T extends Parameters<typeof Type.Array>[0]>(one: T) =>
  Type.Union([one, Type.Array(one, { minItems: 1, maxItems: 1_000 })])

/** What goes over MQTT, by the last part of the topic `pb-oel/<system>/…`. */
export const MQTT_PAYLOADS = {
  sample: some(MqttSample),
  feedback: some(MqttAnswer),
  assessment: Type.Object({
    ...AssessedSample.properties,
    repeated: Type.Optional(Type.Boolean({ description: 'the id was used before; this is the first answer' })),
  }),
  alarm: AlarmMessage,
  'accuracy-alarm': AlarmMessage,
  'stale-alarm': AlarmMessage,
  problem: Problem,
}
