import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ServerEvent, SseParser } from './sse-parser.ts'

function parse(...chunks: string[]): ServerEvent[] {
  const events: ServerEvent[] = []
  const parser = new SseParser((event) => events.push(event))
  for (const chunk of chunks) parser.push(chunk)
  return events
}

describe('SseParser', () => {
  it('reads id, kind and data, and leaves out comments and fields it does not know', () => {
    expect(parse('retry: 1000\n\n:\n\nid: 7\nevent: alarm\ndata: {"a":1}\n\n')).toEqual([
      { id: '7', event: 'alarm', data: '{"a":1}' },
    ])
  })

  it('joins lines of data, takes CRLF, and keeps the id for the next event', () => {
    expect(parse('id: 1\r\ndata: a\r\ndata:b\r\n\r\ndata: c\n\n')).toEqual([
      { id: '1', event: 'message', data: 'a\nb' },
      { id: '1', event: 'message', data: 'c' },
    ])
  })

  it('gives the same events wherever the text is cut', () => {
    const text =
      ':x\n\nid: 12\nevent: alarm\ndata: {"number":1}\n\nid: 14\nevent: assessment\ndata: {"values":[1,2]}\n\n'
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), text.length]
        const chunks = places.slice(1).map((end, i) => text.slice(places[i], end))
        expect(parse(...chunks)).toEqual(parse(text))
      }),
    )
  })

  it('gives nothing of an event that was cut off', () => {
    expect(parse('id: 9\ndata: {"half":')).toEqual([])
  })
})
