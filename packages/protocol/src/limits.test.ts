import type { TSchema } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import * as protocol from './index.ts'
import { InvalidShape, reader } from './reader.ts'

const rule = { topic: 'a/b', system: 's', values: { c: '/v' } }
const list = <T>(length: number, item: T): T[] => Array.from({ length }, () => item)
const system = { id: 'a', channels: ['c'], levels: ['safe', 'unsafe'] }
const LATEST = 8_640_000_000_000_000
const SAFE = Number.MAX_SAFE_INTEGER

/** By shape: a value that is taken, and for each field what is taken and what is refused there, at its limits. */
const LIMITS: Record<string, [whole: object, fields: Record<string, [taken: unknown[], refused: unknown[]]>]> = {
  GivenSample: [
    { values: [1] },
    {
      values: [
        [list(10_000, 1), [null], { a: null }],
        [[], list(10_001, 1), [Number.NaN], [Number.NEGATIVE_INFINITY], ['1'], [true]],
      ],
      at: [
        [0, LATEST, '2026-11-15T10:00Z', '2026-11-15T10:00:00.123456-0330'],
        [-1, LATEST + 2, 0.5, '2026-11-15T10:00:00', 'now'],
      ],
      key: [
        ['!', '~'.repeat(100)],
        ['', 'a'.repeat(101), 'a b', 'é', 'a\n'],
      ],
      mode: [
        ['full', 'partial', 'unknown'],
        ['', 'Full'],
      ],
      trueLevel: [
        [0, 1000, 'a', 'a'.repeat(100)],
        [-1, 0.5, 1001, '', 'a'.repeat(101), null],
      ],
    },
  ],
  SensorSample: [{ values: [1] }, { trueLevel: [[], [0, 'a']] }],
  GivenAnswer: [
    { assessment: 0, kind: 'confirm' },
    {
      assessment: [
        [0, SAFE],
        [-1, 0.5, SAFE + 1, '1'],
      ],
      kind: [['confirm', 'reject', 'label', 'cannot-tell'], ['right']],
      level: [
        [0, 1000, 'a'],
        [-1, 1001, 0.5, ''],
      ],
      note: [['a'.repeat(500)], ['', 'a'.repeat(501), 'a\nb', 'a\u007f']],
      key: [['a'.repeat(100)], ['', 'a'.repeat(101)]],
      by: [['a'.repeat(100)], ['', 'a'.repeat(101), 'a\tb']],
    },
  ],
  GivenStretch: [
    { from: 0, to: 1, kind: 'confirm' },
    {
      kind: [['confirm', 'reject', 'label'], ['cannot-tell']],
      level: [
        [0, 1000],
        [-1, 1001],
      ],
      note: [['a'], ['', 'a'.repeat(101)]],
    },
  ],
  GivenComment: [{ assessment: 0, text: 'a' }, { text: [['a'.repeat(500)], ['', 'a'.repeat(501), 'a\nb']] }],
  GivenAssignment: [
    { to: null },
    {
      to: [
        ['eva', null],
        ['', 1],
      ],
      assessment: [[0], [-1]],
    },
  ],
  GivenExclusion: [
    { why: 'a' },
    { why: [[], ['', 'a\nb']], from: [[0], [-1]], to: [[0], [-1]], afterRecord: [[0], [-1]] },
  ],
  NewClaim: [
    {},
    {
      seconds: [
        [1, 3600],
        [0, 0.5, 3601],
      ],
    },
  ],
  GivenAcknowledgement: [
    { number: 1 },
    {
      number: [
        [1, SAFE],
        [0, 1.5, SAFE + 1],
      ],
      about: [
        ['level', 'a'.repeat(40), '0-a'],
        ['', 'Level', '-a', 'a'.repeat(41), 'a b', 'a\n'],
      ],
      comment: [['a'.repeat(500)], ['', 'a'.repeat(501)]],
    },
  ],
  GivenAction: [{}, { comment: [['a'], ['', 'a'.repeat(501)]], about: [['level'], ['a b']] }],
  GivenShelving: [
    {},
    {
      seconds: [
        [1, 1e6],
        [0, 0.9, 1e6 + 1],
      ],
      oneShot: [[true, false], [1]],
    },
  ],
  NewSystem: [
    system,
    {
      id: [
        ['a', 'A.b_c-9', 'a'.repeat(64)],
        ['', '.a', '-a', 'a/b', 'a b', 'a'.repeat(65), 'a\n', '$server'],
      ],
      channels: [
        [['c'], list(10_000, 'c')],
        [[], list(10_001, 'c'), [''], ['a\u0000'], ['c'.repeat(101)]],
      ],
      levels: [
        [['a', 'b'], list(100, 'a')],
        [['a'], list(101, 'a'), ['a', ''], ['a', 1]],
      ],
      seed: [
        [0, SAFE],
        [-1, 0.5, SAFE + 1],
      ],
    },
  ],
  GivenChange: [
    { title: 'a' },
    {
      title: [['a'.repeat(100)], ['', 'a'.repeat(101), 'a\r']],
      missing: [['hold', 'reject'], ['keep']],
      alarm: [
        [{ level: 1 }, { level: 1000 }, { level: 'unsafe' }, { raiseAfter: 0 }, { raiseAfter: 1e6 }, { clearAfter: 0 }],
        [
          { level: -1 },
          { raiseAfter: -0.1 },
          { raiseAfter: 1e6 + 1 },
          { clearAfter: -1 },
          { watch: 'novel' },
          { a: 1 },
        ],
      ],
      alarms: [
        [{ a: null }, { a: { watch: 'novel' } }, { level: { priority: 'low' } }],
        [{ A: {} }, { a: { b: 1 } }],
      ],
      stale: [
        [null, {}, { after: 1 }, { after: 1e6 }, { rate: 1e-9 }, { rate: 1e6 }],
        [{ after: 0.9 }, { after: 1e6 + 1 }, { rate: 0 }, { rate: 1e6 + 1 }, { a: 1 }],
      ],
      queue: [
        [{}, { level: 0 }, { level: 1e6 }],
        [{ level: -1 }, { level: 1e6 + 1 }, { a: 1 }],
      ],
      ask: [
        [null, {}, { perThousand: 50 }],
        [{ perThousand: '50' }, { question: 'both' }, { a: 1 }],
      ],
      promises: [
        [
          ...[{ confidence: 0.5 }, { confidence: 0.999999 }, { missTarget: 1e-9 }, { missTarget: 0.5 }, { window: 2 }],
          ...[{ window: 1e9 }, { tolerance: 1 }, { tolerance: 100 }, { falseAlarmEvery: 10 }, { block: 1 }],
          ...[{ falseAlarmEvery: 1e12 }, { block: 1e6 }, { target: 0.500001 }, { target: 0.999999 }, { target: null }],
        ],
        [
          ...[
            { confidence: 0.499 },
            { confidence: 1 },
            { missTarget: 0 },
            { missTarget: 0.51 },
            { window: 1 },
            { a: 1 },
          ],
          ...[{ window: 1e9 + 1 }, { tolerance: 0.9 }, { tolerance: 101 }, { falseAlarmEvery: 9 }, { block: 0 }],
          ...[{ falseAlarmEvery: 1e12 + 1 }, { block: 1e6 + 1 }, { target: 0.5 }, { target: 1 }, { window: 2.5 }],
        ],
      ],
      novelty: [
        [null, {}, { falseAlarmEvery: 10 }, { falseAlarmEvery: 10_000 }],
        [{ falseAlarmEvery: 9 }, { falseAlarmEvery: 10_001 }, { falseAlarmEvery: 10.5 }, { a: 1 }],
      ],
      ranges: [
        [{ c: null }, { c: { min: -1, max: 1, action: 'clip' } }],
        [{ c: {} }, { c: { min: '0' } }, { c: { action: 'drop' } }, { c: { min: 0, a: 1 } }],
      ],
      units: [
        [{ c: null }, { c: 'bar' }],
        [{ c: '' }, { c: 1 }],
      ],
      late: [
        [{ samples: 1 }, { samples: 1_000_000 }, { seconds: 0.1 }, { seconds: 1e9 }, { seconds: null }],
        [{ samples: 0 }, { samples: 1_000_001 }, { seconds: 0 }, { seconds: 1e9 + 1 }, { a: 1 }],
      ],
      review: [
        [{ secondOpinion: 0 }, { secondOpinion: 1 }, { trust: true }],
        [{ secondOpinion: -0.1 }, { secondOpinion: 1.1 }, { trust: 1 }, { a: 1 }],
      ],
      levels: [[['a', 'b']], [['a'], list(101, 'a')]],
    },
  ],
  AlarmRule: [
    { level: 1, raiseAfter: 0, clearBelow: 1, clearAfter: 0 },
    {
      level: [
        [1, 1000],
        [0, 1001, 1.5],
      ],
      clearBelow: [
        [1, 1000],
        [0, 1001],
      ],
    },
  ],
  AlarmSetting: [
    {},
    {
      priority: [['low', 'medium', 'high', 'critical'], ['urgent']],
      realarmAfter: [
        [1, 1e6],
        [0, 1e6 + 1],
      ],
      shelveAtMost: [
        [1, 1e6],
        [0, 1e6 + 1],
      ],
      suppressedBy: [
        [['a'], list(20, 'a')],
        [[], list(21, 'a'), ['A']],
      ],
      escalation: [
        [[{ after: 1, tell: ['a'] }], list(10, { after: 1e6, tell: list(20, 'a') })],
        [
          ...[[], list(11, { after: 1, tell: ['a'] }), [{ after: 0, tell: ['a'] }], [{ after: 1, tell: [] }]],
          ...[
            [{ after: 1, tell: list(21, 'a') }],
            [{ after: 1e6 + 1, tell: ['a'] }],
            [{ after: 1, tell: ['a'], a: 1 }],
          ],
        ],
      ],
      watch: [['likely', 'safe-side', 'novel', 'range', 'stale', 'drift'], ['level']],
      level: [
        [1, 1000],
        [0, 1001],
      ],
      clearBelow: [
        [1, 1000],
        [0, 1001],
      ],
      deadband: [[0, 1], [-0.1]],
      after: [
        [1, 1e6],
        [0.9, 1e6 + 1],
      ],
      raiseAfter: [
        [0, 1e6],
        [-0.1, 1e6 + 1],
      ],
      clearAfter: [
        [0, 1e6],
        [-0.1, 1e6 + 1],
      ],
    },
  ],
  NewChannel: [
    { name: 'a', usual: 0 },
    { name: [[], ['', 'a\n']], usual: [[-1e9], ['0', null]], range: [[], [{}]] },
  ],
  NewLevel: [{ name: 'a' }, { name: [['a'.repeat(100)], ['', 'a'.repeat(101)]] }],
  NewClone: [{ id: 'a' }, { id: [['a.b'], ['', 'a/b']], title: [['a'], ['']], state: [[true], ['yes']] }],
  NewToken: [
    { name: 'a', roles: ['viewer'] },
    {
      name: [['a'.repeat(100)], ['', 'a'.repeat(101), 'a\r\nb']],
      roles: [[['sensor', 'reviewer', 'viewer', 'admin']], [[], ['king'], list(5, 'viewer')]],
      systems: [
        [['*'], ['a'], list(1000, 'a')],
        [[], list(1001, 'a'), ['a/b'], ['**']],
      ],
    },
  ],
  TokenRotation: [
    {},
    {
      graceSeconds: [
        [0, 2_592_000],
        [-1, 0.5, 2_592_001],
      ],
    },
  ],
  GivenWhatIf: [
    {},
    {
      seed: [
        [0, SAFE],
        [-1, 0.5],
      ],
      method: [['a'], ['']],
    },
  ],
  SimulationChange: [
    {},
    {
      speed: [
        [0, 10_000],
        [-1, 10_001],
      ],
      answers: [
        [0, 1],
        [-0.1, 1.1],
      ],
      labels: [
        [0, 1],
        [-0.1, 1.1],
      ],
    },
  ],
  GivenMapping: [
    { rule, topic: '', message: '' },
    { topic: [['a'.repeat(1000)], ['a'.repeat(1001)]], message: [['a'.repeat(100_000)], ['a'.repeat(100_001)]] },
  ],
  JoinRule: [
    { by: 'time' },
    {
      by: [['message', 'time', 'tick', 'latest'], ['arrival']],
      within: [
        [1, 86_400_000],
        [0, 86_400_001, 1.5],
      ],
      wait: [
        [10, 86_400_000],
        [9, 86_400_001],
      ],
      every: [
        [10, 86_400_000],
        [9, 86_400_001],
      ],
      lasts: [
        [10, 86_400_000],
        [9, 86_400_001],
      ],
    },
  ],
  MessageRule: [
    rule,
    {
      topic: [['a'.repeat(300)], ['', 'a'.repeat(301)]],
      values: [
        [{ c: '' }, { c: '/a/0' }],
        [{}, { c: 'a' }, { c: `/${'a'.repeat(300)}` }, { c: 1 }],
      ],
      time: [['', '/t'], ['t']],
      timeUnit: [['s', 'ms', 'us', 'ns'], ['min']],
    },
  ],
  MqttMapping: [
    { kind: 'mqtt', url: 'mqtt://b', rules: [rule] },
    {
      name: [
        ['a', 'a'.repeat(32)],
        ['', '-a', 'a b', 'a'.repeat(33)],
      ],
      rules: [[], [[]]],
      url: [[], ['']],
    },
  ],
  SparkplugHost: [
    { kind: 'sparkplug', url: 'mqtt://b', rules: [{ device: 'g/e', system: 's' }] },
    {
      host: [
        ['a', 'a'.repeat(100)],
        ['', 'a/b', '+', '#', 'a'.repeat(101)],
      ],
      rules: [[], [[]]],
    },
  ],
  OpcUaClient: [
    { kind: 'opcua', url: 'opc.tcp://plc', rules: [{ node: 'i=1', system: 's' }] },
    {
      url: [[], ['http://plc', 'x opc.tcp://plc']],
      policy: [['None', 'Basic256Sha256', 'Aes128_Sha256_RsaOaep', 'Aes256_Sha256_RsaPss'], ['Basic128Rsa15']],
      mode: [['None', 'Sign', 'SignAndEncrypt'], ['Invalid']],
      sampling: [
        [10, 86_400_000],
        [9, 86_400_001],
      ],
      rules: [[], [[], [{ node: 'i=1', system: 'a/b' }]]],
    },
  ],
  KafkaConsumer: [
    { kind: 'kafka', brokers: ['b:9092'], rules: [rule] },
    {
      brokers: [[], [[], ['']]],
      from: [['earliest', 'latest'], ['none']],
      mechanism: [['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'], ['GSSAPI']],
      rules: [[], [[]]],
    },
  ],
}

/** Shapes that are parts of others, whose other fields are refused there, or that only the log holds. */
const OPEN = ['AlarmRule']

describe.each(Object.entries(LIMITS))('%s', (shape, [whole, fields]) => {
  const read = reader((protocol as unknown as Record<string, TSchema>)[shape], 'it')

  it('is taken as it is, and with no field that it does not know', () => {
    expect(read(whole)).toEqual(whole)
    if (!OPEN.includes(shape)) expect(() => read({ ...whole, unknown: 1 })).toThrow(InvalidShape)
  })

  it.each(Object.entries(fields))('has %s up to its limits and not beyond', (field, [taken, refused]) => {
    for (const value of taken) expect(() => read({ ...whole, [field]: value }), JSON.stringify(value)).not.toThrow()
    for (const value of refused) {
      expect(() => read({ ...whole, [field]: value }), JSON.stringify(value)?.slice(0, 99)).toThrow(InvalidShape)
    }
  })
})

it('a change that changes nothing is refused', () => {
  expect(() => reader(protocol.GivenChange, 'it')({})).toThrow(InvalidShape)
})

it.each([
  ['sample,alarm', true],
  ['second-opinion', true],
  ['sample,', false],
  ['samples', false],
  ['sample, alarm', false],
  [Array(60).fill('assessment').join(), false],
])('kinds such as %.30s in a query: %s', (kinds, taken) => {
  const read = () => reader(protocol.KindsQuery, 'it')(kinds)
  if (taken) expect(read).not.toThrow()
  else expect(read).toThrow(InvalidShape)
})

it('kinds of records that follow from others, that are upkeep, and that are told unless asked otherwise', () => {
  expect(protocol.DERIVED_KINDS).toEqual(['assessment', 'alarm'])
  expect(protocol.UPKEEP_KINDS).toEqual(['snapshot', 'compaction'])
  expect(protocol.USUAL_EVENTS).toEqual([
    ...['assessment', 'feedback', 'correction', 'configuration', 'channel', 'level', 'alarm', 'acknowledgement'],
    ...['alarm-action', 'exclusion', 'stretch', 'withdrawal', 'abstention', 'second-opinion', 'comment', 'assignment'],
    'clock',
  ])
})

it('priorities are in the order of their urgency, and roles are what they are', () => {
  expect(protocol.PRIORITIES).toEqual(['low', 'medium', 'high', 'critical'])
  expect(protocol.ROLES).toEqual(['sensor', 'reviewer', 'viewer', 'admin'])
})

describe('what several fields say together', () => {
  const { readAnswer, readStretch, readMoment } = protocol

  it('an answer that cannot tell is no correction, and a note belongs to it alone', () => {
    const told = { assessment: 1, kind: 'cannot-tell' }
    expect(readAnswer({ ...told, note: 'dark', at: '1970-01-01T00:00:01Z' })).toEqual({
      ...told,
      note: 'dark',
      at: 1000,
    })
    expect(() => readAnswer({ ...told, correction: true })).toThrow('answer/correction: ')
    expect(() => readAnswer({ assessment: 1, kind: 'reject', note: 'dark' })).toThrow('answer/note: ')
  })

  it('a stretch ends after it begins, and has a level with the kind label alone', () => {
    const day = { from: '2026-11-15T10:00:00Z', to: 1_794_736_800_000 }
    expect(readStretch({ ...day, kind: 'reject' })).toEqual({ from: day.to, to: day.to, kind: 'reject' })
    expect(() => readStretch({ ...day, from: day.to + 1, kind: 'reject' })).toThrow('stretch/to: ')
    expect(() => readStretch({ ...day, kind: 'label' })).toThrow('stretch/level: ')
    expect(() => readStretch({ ...day, kind: 'confirm', level: 1 })).toThrow('stretch/level: ')
  })

  it('a moment is one of the calendar since 1970', () => {
    expect(readMoment('1970-01-01T00:00:00.5Z', 'at')).toBe(500)
    expect(readMoment(0, 'at')).toBe(0)
    for (const wrong of ['2026-02-30T00:00:00Z', '1969-12-31T23:59:59Z', '2026-11-15T25:00:00Z', -1]) {
      expect(() => readMoment(wrong, 'at'), String(wrong)).toThrow('at: there is no moment')
    }
  })
})
