import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../testing/folder.ts'
import { localServer, PLANT } from '../testing/local-server.ts'
import { send } from '../testing/requests.ts'
import { detail } from '../views/system.ts'

const store = join(temporaryFolder(), 'api.db')
const server = await localServer({ store })
const plant = `${server.url}/v1/systems/plant`
const NDJSON = { 'content-type': 'application/x-ndjson' }

async function fresh(id: string, more = {}): Promise<string> {
  expect((await send(`${server.url}/v1/systems`, 'POST', { ...PLANT, id, ...more })).status).toBe(201)
  return `${server.url}/v1/systems/${id}`
}

describe('samples', () => {
  it('come as numbers or by name, and the answer has names beside numbers', async () => {
    const { body } = await send(`${plant}/samples`, 'POST', { values: { temperature: 2, pressure: 1 }, at: 123 })
    expect(body.levelName).toBe(PLANT.levels[body.level])
    expect(body.probabilities.reduce((sum: number, p: number) => sum + p, 0)).toBeCloseTo(1, 12)
    expect(body.experts.length).toBe(3)
    const { body: stored } = await send(`${plant}/samples/${body.assessment}`, 'GET')
    expect(stored).toMatchObject({
      values: [1, 2],
      at: 123,
      by: 'local',
      assessment: body.assessment,
      level: body.level,
    })
  })

  it('with a missing sensor are held and shown as degraded, or refused', async () => {
    const url = await fresh('held', { missing: 'hold' })
    expect((await send(`${url}/samples`, 'POST', { values: { pressure: 1 } })).status).toBe(422)
    await send(`${url}/samples`, 'POST', { values: [1, 2] })
    const { body } = await send(`${url}/samples`, 'POST', { values: { pressure: 5 } })
    expect(body.degraded).toEqual(['temperature'])
    expect((await send(url, 'GET')).body).toMatchObject({
      degraded: ['temperature'],
      lastValues: [5, 2],
      counts: { degraded: 1 },
    })
    await send(url, 'PATCH', { missing: 'reject' })
    expect((await send(`${url}/samples`, 'POST', { values: { pressure: 5 } })).status).toBe(422)
  })

  it('stream in as lines and their answers stream out while the request is still open', async () => {
    const url = new URL(`${await fresh('lines')}/samples`)
    const client = request(url, { method: 'POST', headers: NDJSON })
    client.write('{"values":[1,2]}\n{"val')
    const [response] = await once(client, 'response')
    expect(response.headers['content-type']).toBe('application/x-ndjson')
    const answers: string[] = []
    response.on('data', (chunk: Buffer) => answers.push(...chunk.toString().trim().split('\n')))
    while (answers.length < 1) await setTimeout(5)
    client.write('ues":[3,4]}\n\n[]\n')
    while (answers.length < 3) await setTimeout(5)
    client.end('{"values":[5,6]}')
    await once(response, 'end')
    const parsed = answers.map((line) => JSON.parse(line))
    expect(parsed.map(({ assessment, status, line }) => assessment ?? [status, line])).toEqual([0, 1, [400, 3], 2])
  })

  it('of a stream that breaks off count up to the last whole line', async () => {
    const url = await fresh('broken')
    const client = request(new URL(`${url}/samples`), { method: 'POST', headers: NDJSON })
    client.on('error', () => {})
    client.write('{"values":[1,2]}\n{"values":[3,4]}\n{"values":[5,6]}')
    const [response] = await once(client, 'response')
    response.on('error', () => {})
    const samples = async () => (await send(url, 'GET')).body.samples
    await expect.poll(samples).toBe(2)
    client.destroy()
    await once(client, 'close')
    // The next one takes the place behind the last whole line.
    expect((await send(`${url}/samples`, 'POST', { values: [7, 8] })).body.assessment).toBe(2)
    expect(await samples()).toBe(3)
  })

  it('of a client that does not read its answers wait, and the client is cut off', async () => {
    const impatient = await localServer({ limits: { idleSeconds: 2 } })
    const url = new URL(`${impatient.url}/v1/systems/plant`)
    const socket = connect(Number(url.port), url.hostname)
    socket.on('error', () => {})
    socket.write(
      `POST ${url.pathname}/samples HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n`,
    )
    socket.pause()
    const lines = '{"values":[1,2]}\n'.repeat(500)
    const piece = `${lines.length.toString(16)}\r\n${lines}\r\n`
    let closed = false
    socket.on('close', () => {
      closed = true
    })
    let sent = 0
    while (!closed && sent < 400) {
      sent++
      if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
    }
    while (!closed) {
      await setTimeout(100)
      socket.write('')
    }
    // Its 200,000 lines were not all taken in: the server stopped reading when its answers were not read.
    const { samples } = await impatient.service.get('plant').read(detail(0))
    expect(samples).toBeLessThan(100_000)
  })

  it('can be looked at by time, thinned out to what a chart can show', async () => {
    const url = await fresh('history')
    const lines = Array.from({ length: 300 }, (_, i) => `{"values":[${i},0]}\n`).join('')
    await send(`${url}/samples`, 'POST', lines, NDJSON)
    const all = (await send(`${url}/samples`, 'GET')).body
    expect(all.samples.map(({ assessment }: { assessment: number }) => assessment)).toEqual(
      Array.from({ length: 300 }, (_, i) => i),
    )
    expect(all.thinned).toBe(false)
    const thin = (await send(`${url}/samples?limit=10`, 'GET')).body
    expect(thin.thinned).toBe(true)
    expect(thin.samples.length).toBeGreaterThanOrEqual(9)
    expect(thin.samples.length).toBeLessThanOrEqual(10)
    const { time } = all.samples[150]
    const later = (await send(`${url}/samples?from=${time}`, 'GET')).body.samples
    expect(later.every((sample: { time: number }) => sample.time >= time)).toBe(true)
    expect((await send(`${url}/samples?to=${all.samples[0].time}`, 'GET')).body.samples).toEqual([])
    expect((await send(`${url}/samples/299`, 'GET')).body.values).toEqual([299, 0])
    expect((await send(`${url}/samples/0`, 'GET')).body.values).toEqual([0, 0])
    expect((await send(`${url}/samples/300`, 'GET')).status).toBe(404)
  })
})

describe('the queue', () => {
  it('shows open questions with reasons and votes; claims keep others away; answers remove', async () => {
    const url = await fresh('queue')
    for (let i = 0; i < 5; i++) await send(`${url}/samples`, 'POST', { values: [i, 1] })
    const { body } = await send(`${url}/queue?limit=3`, 'GET')
    expect(body.open).toBe(5)
    expect(body.questions.length).toBe(3)
    const [top] = body.questions
    expect(top.votes.reduce((sum: number, n: number) => sum + n, 0)).toBe(3)
    expect(top.values).toEqual([top.assessment, 1])
    const worths = body.questions.map(({ worth }: { worth: number }) => worth)
    expect(worths).toEqual([...worths].sort((a, b) => b - a))

    const claim = `${url}/queue/${top.assessment}/claim`
    expect((await send(claim, 'POST', { by: 'eva' })).body.by).toBe('eva')
    expect((await send(claim, 'POST', { by: 'max' })).status).toBe(409)
    const free = (await send(`${url}/queue?free=true`, 'GET')).body.questions
    expect(free.map(({ assessment }: { assessment: number }) => assessment)).not.toContain(top.assessment)
    expect((await send(`${url}/queue`, 'GET')).body.questions[0].claim.by).toBe('eva')
    expect((await send(`${claim}?by=eva`, 'DELETE')).status).toBe(204)
    expect((await send(claim, 'POST')).status).toBe(200)

    const answer = { assessment: top.assessment, kind: 'confirm', by: 'eva' }
    expect((await send(`${url}/feedback`, 'POST', answer)).body).toMatchObject({
      kind: 'confirm',
      assessment: top.assessment,
    })
    expect((await send(`${url}/queue`, 'GET')).body.open).toBe(4)
    expect((await send(claim, 'POST')).status).toBe(409)
    expect((await send(`${url}/queue/99/claim`, 'POST')).status).toBe(404)
    expect((await send(`${url}/samples/${top.assessment}`, 'GET')).body.answer).toMatchObject({
      kind: 'confirm',
      by: 'eva',
    })
  })
})

describe('feedback', () => {
  it('streams too, and each line is answered', async () => {
    const url = await fresh('feedback')
    await send(`${url}/samples`, 'POST', '{"values":[1,2]}\n{"values":[1,2]}\n', NDJSON)
    const text =
      '{"assessment":1,"kind":"confirm"}\n{"assessment":7,"kind":"confirm"}\n{"assessment":0,"kind":"label"}\n'
    const { body } = await send(`${url}/feedback`, 'POST', text, NDJSON)
    const lines = body
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line))
    expect(lines.map((line: { kind?: string; status?: number }) => line.kind ?? line.status)).toEqual([
      'confirm',
      404,
      400,
    ])
  })

  it('takes the former name of kind, but not both', async () => {
    const url = await fresh('former')
    await send(`${url}/samples`, 'POST', '{"values":[1,2]}\n{"values":[1,2]}\n', NDJSON)
    expect((await send(`${url}/feedback`, 'POST', { assessment: 0, answer: 'confirm' })).body).toMatchObject({
      ...{ assessment: 0, kind: 'confirm' },
    })
    const line = await send(`${url}/feedback`, 'POST', '{"assessment":1,"answer":"reject"}\n', NDJSON)
    expect(JSON.parse(line.body)).toMatchObject({ assessment: 1, kind: 'reject' })
    const both = { assessment: 0, kind: 'reject', answer: 'reject', correction: true }
    expect(await send(`${url}/feedback`, 'POST', both)).toMatchObject({
      ...{ status: 400, body: { detail: 'answer/answer: this is the former name of kind; send kind alone' } },
    })
    const corrected = { assessment: 0, kind: 'reject', correction: true }
    expect((await send(`${url}/feedback`, 'POST', corrected)).body).toMatchObject({ kind: 'reject', correction: true })
  })
})

describe('what an answer changes', () => {
  it('is told at once, counted, and kept as progress', async () => {
    const url = await fresh('effect')
    await send(`${url}/samples`, 'POST', '{"values":[1,2]}\n{"values":[1,2]}\n', NDJSON)
    const { level } = (await send(`${url}/samples/0`, 'GET')).body
    const other = level === 0 ? 1 : 0
    const first = (await send(`${url}/feedback`, 'POST', { assessment: 0, kind: 'label', level: other })).body
    expect(first.effect.accuracy).toEqual([null, 0])
    expect(first.effect.weights[0]).toHaveLength(first.effect.weights[1].length)
    const second = (await send(`${url}/feedback`, 'POST', { assessment: 1, kind: 'confirm', by: 'eva' })).body
    expect(second.effect.accuracy).toEqual([0, 0.5])
    const { counts, weights, restarts } = (await send(url, 'GET')).body
    expect([counts.misses, counts.falseAlarms]).toEqual(level === 0 ? [1, 0] : [0, 1])
    expect(weights.reduce((sum: number, weight: number) => sum + weight)).toBeCloseTo(1, 12)
    expect(restarts).toBe(0)
    const { points } = (await send(`${url}/progress`, 'GET')).body
    expect(points.map(({ accuracy }: { accuracy: number }) => accuracy)).toEqual([0, 0.5])
    expect(points[1].sequence).toBe(second.sequence)
    const mine = (await send(`${url}/log?by=eva`, 'GET')).body.records
    expect(mine.map(({ sequence }: { sequence: number }) => sequence)).toEqual([second.sequence])
  })
})

describe('asking within a budget', () => {
  it('puts into the queue what was chosen, and tells each sample whether it was', async () => {
    const url = await fresh('asking', { options: { experts: 3 } })
    expect((await send(url, 'PATCH', { ask: { perThousand: 2000 } })).status).toBe(422)
    expect((await send(url, 'PATCH', { ask: { perThousand: 100 } })).body.configuration.ask).toEqual({
      perThousand: 100,
    })
    const lines = Array.from({ length: 200 }, (_, i) => JSON.stringify({ values: [i % 5, i % 3] })).join('\n')
    const { body } = await send(`${url}/samples`, 'POST', lines, NDJSON)
    const answers = body
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line))
    const asked = answers.filter((answer: { asked: unknown }) => answer.asked)
    expect(asked.length).toBeGreaterThan(3)
    expect(asked.length).toBeLessThanOrEqual(21)
    expect(asked[0].asked).toMatchObject({ kind: 'verdict', probability: expect.any(Number) })
    const queue = (await send(`${url}/queue?limit=500`, 'GET')).body
    expect(queue.open).toBe(asked.length)
    expect(new Set(queue.questions.map((question: { assessment: number }) => question.assessment))).toEqual(
      new Set(asked.map((answer: { assessment: number }) => answer.assessment)),
    )
  })
})

describe('the log', () => {
  it('is read a page at a time, by kind, from either end, and replayed to any moment', async () => {
    const url = await fresh('log')
    for (let i = 0; i < 4; i++) await send(`${url}/samples`, 'POST', { values: [i, 1] })
    const page = (await send(`${url}/log?limit=4`, 'GET')).body
    expect(page.records.map(({ kind }: { kind: string }) => kind)).toEqual([
      'created',
      'sample',
      'assessment',
      'sample',
    ])
    expect(page).toMatchObject({ first: 1, last: 9, next: 5 })
    const latest = (await send(`${url}/log?latest=true&kinds=sample&limit=2`, 'GET')).body
    expect(latest.records.map(({ sequence }: { sequence: number }) => sequence)).toEqual([8, 6])
    const now = (await send(`${url}/state`, 'GET')).body
    expect((await send(`${url}/state?at=9`, 'GET')).body.stateHash).toBe(now.stateHash)
    expect((await send(`${url}/state?at=5`, 'GET')).body.system.samples).toBe(2)
    const { time } = page.records[2]
    expect((await send(`${url}/state?time=${time}`, 'GET')).body.system.samples).toBeGreaterThanOrEqual(1)
    expect((await send(`${url}/state?at=99`, 'GET')).status).toBe(404)
    expect((await send(`${url}/state?at=1&time=1`, 'GET')).status).toBe(400)
  })
})

describe('operations', () => {
  it('serves health, readiness, metrics in base units, a page, and strict headers with everything', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect(await send(server.url + path, 'GET')).toMatchObject({ status: 200, body: { status: 'ok' } })
    const metrics = (await send(`${server.url}/metrics`, 'GET')).body
    for (const name of [
      'pb_oel_records_total',
      'pb_oel_log_commit_duration_seconds_bucket',
      'pb_oel_trained{system="plant"}',
    ]) {
      expect(metrics).toContain(name)
    }
    expect(metrics).toMatch(/^pb_oel_log_commit_records_sum [1-9]/m)
    expect(metrics).toMatch(/^pb_oel_records_total\{system="plant",kind="sample"\} [1-9]/m)
    const response = await fetch(server.url)
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...{ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' },
      ...{ 'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin' },
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    })
    const policy = response.headers.get('content-security-policy')?.split('; ')
    expect(policy).toEqual(expect.arrayContaining(["script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]))
    // Without TLS a browser must not be told to insist on it.
    expect(response.headers.has('strict-transport-security')).toBe(false)
    expect(await response.text()).toMatch(/<!doctype html>/i)
  })

  it('backs up while it runs', async () => {
    const made = await fetch(`${server.url}/v1/backup`, { method: 'POST' })
    expect(made.status).toBe(201)
    const { file } = await made.json()
    expect(file).toMatch(/^pb-oel-backup-[\dTZ-]+\.db$/)
    // Beside the store, where nobody has said where.
    expect(existsSync(join(dirname(store), file))).toBe(true)
    const copy = await fetch(`${server.url}${made.headers.get('location')}`)
    expect(copy.headers.get('content-disposition')).toBe(`attachment; filename="${file}"`)
    expect(Buffer.from(await copy.arrayBuffer()).toString('latin1', 0, 15)).toBe('SQLite format 3')
  })
})
