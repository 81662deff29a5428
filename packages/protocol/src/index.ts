/**
 * The shapes that cross a border of pb-oel, each declared once: a TypeBox schema and the type of the same name.
 *
 * @packageDocumentation
 */

export {
  ALARM_ACTIONS,
  ALARM_KINDS,
  Alarm,
  type AlarmAction,
  AlarmChange,
  AlarmEvent,
  AlarmMessage,
  type AlarmStatus,
  about,
  GivenAcknowledgement,
  GivenAction,
  GivenShelving,
  ListedAlarm,
} from './alarm.ts'
export { AlarmHistory, AlarmList, AlarmOfSystem, FloodFigures } from './alarm-list.ts'
export { AlarmSetting, PRIORITIES, type Priority, RuleName } from './alarm-setting.ts'
export {
  Answer,
  AnswerEffect,
  AnswerEvent,
  AnswerReceipt,
  Feedback,
  GivenAnswer,
  readAnswer,
  type ToldAnswer,
} from './answer.ts'
export type { AnswerKind } from './answer-kind.ts'
export {
  Asked,
  AssessedSample,
  AssessedSamples,
  Assessment,
  AssessmentBody,
  AssessmentReceipt,
  NoveltyFinding,
} from './assessment.ts'
export { Assignment, AssignmentBody, GivenAssignment } from './assignment.ts'
export { asyncApi } from './async-api.ts'
export {
  BridgeRule,
  GivenMapping,
  JoinRule,
  KafkaConsumer,
  MappedMessage,
  MessageRule,
  MqttMapping,
  OpcUaClient,
  SparkplugHost,
} from './bridge.ts'
export { AddedChannel, NewChannel } from './channel.ts'
export { Chart } from './chart.ts'
export { ClockChange, ServerTime } from './clock.ts'
export { DeletionReceipt, NewClone } from './clone.ts'
export { ClusterView } from './cluster.ts'
export type { CommandOutputName } from './command-output.ts'
export { CommandOutputs, OUTPUT_VERSION } from './command-output.ts'
export { Comment, CommentBody, CommentList, GivenComment } from './comment.ts'
export {
  AlarmRule,
  AskRule,
  ChannelRange,
  Configuration,
  ConfigurationChange,
  type GivenAlarmRule,
  type GivenAlarmSetting,
  GivenChange,
  LateRule,
  NewSystem,
  NoveltyRule,
  PromiseRule,
  QueueWeights,
  ReviewRule,
  StaleRule,
  SystemId,
  type SystemRequest,
} from './configuration.ts'
export { EVENT_DATA, type EventData, KindsQuery, type RecordEvent } from './event.ts'
export { Exclusion, ExclusionBody, GivenExclusion } from './exclusion.ts'
export { ChannelReason, Explanation } from './explanation.ts'
export { assessmentNumber, milliseconds, moment, name, sequence, strict } from './field.ts'
export { Guarantee } from './guarantee.ts'
export { AddedLevel, NewLevel } from './level.ts'
export { readMoment } from './moment.ts'
export { MQTT_PAYLOADS } from './mqtt.ts'
export { AbstentionBody, SecondOpinionBody } from './opinion.ts'
export { Problem } from './problem.ts'
export { Progress, ProgressPoint } from './progress.ts'
export { Certificate, Outcomes, PromisesReport } from './promises.ts'
export { Claim, NewClaim, Question, Queue, Reasons } from './question.ts'
export { InvalidShape, reader } from './reader.ts'
export { LogPage, LogRecord, RECORD_BODIES, RECORD_VERSION, type RecordBodies, type SystemEvent } from './record.ts'
export { type Decoded, decodeBody, encodeBody, UnknownVersion } from './record-body.ts'
export { DERIVED_KINDS, RECORD_KINDS, type RecordKind, UPKEEP_KINDS, USUAL_EVENTS } from './record-kind.ts'
export { currentRole, ROLES, type Role } from './role.ts'
export { GivenSample, readSample, readSensorSample, Sample, SensorSample } from './sample.ts'
export { SimulationChange, SimulationSetting } from './simulation.ts'
export {
  GivenStretch,
  readStretch,
  Stretch,
  StretchBody,
  Withdrawal,
  WithdrawalBody,
} from './stretch.ts'
export { MethodList, SystemDetail, SystemList, SystemState, SystemSummary, Tally } from './system.ts'
export { EventTicket } from './ticket.ts'
export { Caller, NewToken, readNewToken, Token, TokenList, TokenReceipt, TokenRotation } from './token.ts'
export { GivenWhatIf, Reliability, ReviewerList, ReviewerRecord, WhatIfResult } from './what-if.ts'
export { word } from './word.ts'
