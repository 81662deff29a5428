import { describe, expect, it } from 'vitest'
import { answerLines } from './ndjson.ts'

/** Longest line that is read, in bytes. */
const LONGEST = 262_144

async function* of(...pieces: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece)
}

/** What comes back for some pieces of input, line by line. */
async function answers(pieces: AsyncIterable<Buffer>, handle = async (value: unknown): Promise<object> => ({ value })) {
  let text = ''
  for await (const chunk of answerLines(pieces, handle)) text += chunk
  expect(text === '' || text.endsWith('\n')).toBe(true)
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

/** A line of so many bytes. */
const line = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`

describe('lines', () => {
  it('are answered in order however they are cut; empty ones are left out and do not count', async () => {
    const whole = '1\n\n"ä"\r\n\nnone\n[2]'
    const expected = [
      { value: 1 },
      { value: 'ä' },
      { status: 400, line: 3, detail: 'the line is not JSON' },
      { value: [2] },
    ]
    const bytes = Buffer.from(whole)
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(await answers(of(bytes.subarray(0, cut), bytes.subarray(cut)))).toMatchObject(expected)
    }
  })

  it('of the greatest length are taken, longer ones refused by their number, once each, and the others go on', async () => {
    const refused = (number: number) => ({ status: 400, line: number, detail: `a line has more than ${LONGEST} bytes` })
    const longest = line(LONGEST)
    expect(await answers(of(`${longest}\n${line(LONGEST + 1)}\n3\n`))).toMatchObject([
      ...[{ value: JSON.parse(longest) }, refused(2), { value: 3 }],
    ])
    // A line that comes in many pieces is refused before it has ended.
    const endless = line(5 * LONGEST)
    const pieces = Array.from({ length: 10 }, (_, i) => endless.slice((i * LONGEST) / 2, ((i + 1) * LONGEST) / 2))
    expect(await answers(of('1\n', ...pieces, '\n3\n'))).toMatchObject([{ value: 1 }, refused(2), { value: 3 }])
    expect(await answers(of(...pieces))).toMatchObject([refused(1)])
  })

  it('whose handling fails are answered by a problem that tells nothing about the inside', async () => {
    const failing = async () => Promise.reject(new Error('password in line 7'))
    expect(await answers(of('1\n'), failing)).toMatchObject([{ status: 500, title: 'Internal error', line: 1 }])
    expect(JSON.stringify(await answers(of('1\n'), failing))).not.toContain('password')
  })

  it('wait at the sender while eight pieces wait for the disk', async () => {
    let [read, done] = [0, () => {}]
    const stored = new Promise<void>((resolve) => (done = resolve))
    async function* input() {
      for (; read < 20; read++) yield Buffer.from(`${read}\n`)
    }
    const all = answers(input(), async (value) => stored.then(() => ({ value })))
    for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate)
    expect(read).toBe(8)
    done()
    expect((await all).map(({ value }) => value)).toEqual(Array.from({ length: 20 }, (_, i) => i))
  })
})
