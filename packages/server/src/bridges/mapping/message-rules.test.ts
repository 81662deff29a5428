import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { problemOf } from '../../http/problems.ts'
import { follow, pointerParts } from './json-pointer.ts'
import { MessageRules } from './message-rules.ts'
import { TopicPattern } from './topic-pattern.ts'

describe('a pattern of topics', () => {
  it.each([
    ['a/+/c', 'a/b/c', {}],
    ['a/{x}/{y}', 'a/b/c', { x: 'b', y: 'c' }],
    ['a/#', 'a', {}],
    ['a/#', 'a/b/c', {}],
    ['{x}/#', 'b/c', { x: 'b' }],
    ['a/{x}', 'a/', { x: '' }],
    ['a/b', 'a/b/c', undefined],
    ['a/b/c', 'a/b', undefined],
    ['a/b', 'a/B', undefined],
  ])('%s takes out of %s %j', (pattern, topic, captures) => {
    const found = new TopicPattern(pattern).match(topic)
    expect(found && { ...found }).toEqual(captures)
  })

  it('becomes a filter of brokers', () => expect(new TopicPattern('a/{x}/+/#').filter).toBe('a/+/+/#'))

  it.each(['a/#/b', 'a/b#', 'a/x+', 'a/{x', 'a/{x}y', 'a/{}'])('%s is refused', (pattern) => {
    expect(() => new TopicPattern(pattern)).toThrow(/^topic ".*": ".*" should be \+, \{name\}, # at the end/)
  })
})

it('a JSON pointer leads where RFC 6901, section 5 says', () => {
  const document = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'c%d': 2, 'e^f': 3, 'g|h': 4, 'k"l': 6, ' ': 7, 'm~n': 8 }
  const at = (pointer: string) => follow(document, pointerParts(pointer))
  expect(['', '/foo', '/foo/0', '/', '/a~1b', '/c%d', '/e^f', '/g|h', '/k"l', '/ ', '/m~0n'].map(at)).toEqual([
    document,
    ['bar', 'baz'],
    ...['bar', 0, 1, 2, 3, 4, 6, 7, 8],
  ])
  expect(['/bar', '/foo/2', '/foo/0/x', '/__proto__', '/foo/length'].map(at)).toEqual([...Array(4).fill(undefined), 2])
})

describe('rules', () => {
  const rule = { topic: 't/{name}', system: 's-{name}', values: { 'c-{name}': '/v' } }
  const read = (more: object, text: string) => new MessageRules([{ ...rule, ...more }]).read('t/x', Buffer.from(text))

  it('read numbers, switches and nothing', () => {
    const [one, two, three, four] = ['1e3', '"-2.5"', 'true', 'null'].map(
      (v) => read({}, `{"v":${v}}`)[0].reading.values,
    )
    expect([one, two, three, four]).toEqual([{ 'c-x': 1000 }, { 'c-x': -2.5 }, { 'c-x': 1 }, { 'c-x': null }])
    expect(read({}, '{"v":1}')[0].system).toBe('s-x')
    const switches = [' OFF\n', 'on', 'true', 'False'].map(
      (text) => read({ values: { a: '' } }, text)[0].reading.values.a,
    )
    expect(switches).toEqual([0, 1, 1, 0])
  })

  it.each([
    ['s', '1451649600.5', 1451649600500],
    ['ms', '1451649600512', 1451649600512],
    ['us', '1451649600512999', 1451649600513],
    ['ns', '1451649600512000000', 1451649600512],
    ['ms', '"2016-01-01T13:00:00.512+01:00"', 1451649600512],
  ])('read a time in %s: %s', (timeUnit, t, at) => {
    expect(read({ time: '/t', timeUnit }, `{"v":1,"t":${t}}`)[0].reading.at).toBe(at)
  })

  it('recognise a message by its id, or by its time and content', () => {
    const key = (more: object, text: string) => read(more, text)[0].reading.key
    expect(key({}, '{"v":1}')).toBeUndefined()
    expect(key({ id: '/n' }, '{"v":1,"n":5}')).toBe(key({ id: '/n' }, '{"v":2,"n":5}'))
    expect(key({ time: '/t' }, '{"v":1,"t":5}')).toBe(key({ time: '/t' }, '{"t":5,"v":1}'))
    expect(key({ time: '/t' }, '{"v":1,"t":5}')).not.toBe(key({ time: '/t' }, '{"v":2,"t":5}'))
    const ticked = { time: '/t', tick: '/n' }
    expect(key(ticked, '{"v":1,"t":5,"n":1}')).not.toBe(key(ticked, '{"v":1,"t":5,"n":2}'))
    expect(read({ time: '/t' }, '{"v":1,"t":5}')[0].reading.at).toBe(5)
  })

  it('refuse more than 8 MiB unread, and a template that names what nobody told', () => {
    const large = (bytes: number) => () => read({}, `{"v":1}${' '.repeat(bytes - 7)}`)
    expect(large(8 << 20)).not.toThrow()
    expect(large((8 << 20) + 1)).toThrow('expected at most 8388608 bytes')
    expect(() => new MessageRules([{ ...rule, values: { '{other}': '/v' } }])).toThrow(
      'nothing that {other} stands for',
    )
  })

  it('refuse anything else by name, never by a crash', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        try {
          for (const { reading } of read({ time: '/t', tick: '/n' }, text)) {
            expect(Object.values(reading.values).every((value) => value === null || Number.isFinite(value))).toBe(true)
          }
        } catch (error) {
          expect(problemOf(error as Error).status).toBe(400)
        }
      }),
      { numRuns: 300 },
    )
  })
})
