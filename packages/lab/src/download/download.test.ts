import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { DataError } from '../errors.ts'
import { DATA_SETS, type DataSet, dataSetPath, localCopy } from '../streams/data-sets.ts'
import { openStream } from '../streams/open-stream.ts'
import { testFolder } from '../testing/folder.ts'
import { getData } from './get-data.ts'

const folder = testFolder()
process.env.PB_OEL_CACHE = folder.path

const FILE = `a,b,l\n${Array.from({ length: 3000 }, (_, i) => `${i},${i / 7},${i % 3 === 0 ? 1 : 0}`).join('\n')}\n`
let answer: (request: IncomingMessage, response: ServerResponse) => void
let ranges: (string | undefined)[] = []
const server: Server = createServer((request, response) => {
  ranges.push(request.headers.range)
  answer(request, response)
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
afterAll(() => server.close())

const set: DataSet = {
  name: 'fixture',
  summary: '',
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/file.csv`,
  home: 'nowhere',
  file: 'fixture.csv',
  channels: 2,
  levels: [1000, 2000],
}
const path = () => dataSetPath(set)

/** Serves the file from where it is asked for; `upTo` cuts the connection there. */
function serve({ etag = '"v1"', content = FILE, upTo = Infinity } = {}) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const from =
      request.headers.range && request.headers['if-range'] === etag
        ? Number(request.headers.range.match(/\d+/)?.[0])
        : 0
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': content.length - from, ...(etag && { etag }) })
    if (content.length <= upTo) response.end(content.slice(from))
    else response.write(content.slice(from, upTo), () => setTimeout(() => response.destroy(), 20))
  }
}

beforeEach(() => {
  for (const suffix of ['', '.partial', '.tag', '.sha256']) rmSync(path() + suffix, { force: true })
  ranges = []
})

describe('getData', () => {
  it('downloads, checks, notes the checksum, and next time only checks', async () => {
    answer = serve()
    const first = await getData(set)
    expect(first.downloaded).toBe(true)
    expect(readFileSync(path(), 'utf8')).toBe(FILE)
    expect(readFileSync(`${path()}.sha256`, 'utf8').trim()).toBe(first.sha256)
    expect(await getData(set)).toEqual({ ...first, downloaded: false })
    expect(ranges).toHaveLength(1)
    expect(existsSync(`${path()}.partial`)).toBe(false)
  })

  it('goes on after a broken connection, within a call and in a later one', async () => {
    answer = serve({ upTo: 10_000 })
    await expect(getData(set, { retries: 1 })).rejects.toThrow('cannot be downloaded')
    expect(readFileSync(`${path()}.partial`).length).toBe(10_000)
    answer = serve()
    await getData(set)
    expect(ranges).toEqual([undefined, 'bytes=10000-', 'bytes=10000-'])
    expect(readFileSync(path(), 'utf8')).toBe(FILE)
  })

  it('begins anew when the file has changed on the server meanwhile', async () => {
    answer = serve({ upTo: 10_000, etag: '"old"', content: FILE.replaceAll('0', '9') })
    await expect(getData(set, { retries: 0 })).rejects.toThrow()
    answer = serve({ etag: '"new"' })
    await getData(set)
    expect(readFileSync(path(), 'utf8')).toBe(FILE)
  })

  it('begins anew when the server cannot name the version or go on', async () => {
    answer = serve({ upTo: 5_000, etag: '' })
    await expect(getData(set, { retries: 0 })).rejects.toThrow()
    answer = serve({ etag: '' })
    await getData(set)
    expect(ranges).toEqual([undefined, undefined])
    rmSync(path())
    writeFileSync(`${path()}.partial`, 'x'.repeat(99_999))
    writeFileSync(`${path()}.tag`, '"v1"')
    answer = (request, response) => (request.headers.range ? response.writeHead(416).end() : serve()(request, response))
    await getData(set)
    expect(readFileSync(path(), 'utf8')).toBe(FILE)
  })

  it('refuses another file, and a copy that has changed', async () => {
    answer = serve({ content: 'a,b,l\n1,2,0\n1,2,1\n' })
    await expect(getData(set)).rejects.toThrow(
      '2 channels and 1 : 1 samples per level, expected 2 channels and 1000 : 2000',
    )
    expect(existsSync(path())).toBe(false)
    answer = serve()
    await getData(set)
    writeFileSync(path(), FILE.replace('1,', '2,'))
    await expect(getData(set)).rejects.toThrow('has changed since it was downloaded')
  })

  it('says what to do without a network, and for a missing page, without trying in vain', async () => {
    const closed = createServer()
    await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done))
    const nowhere = { ...set, url: `http://127.0.0.1:${(closed.address() as AddressInfo).port}/file.csv` }
    await new Promise((done) => closed.close(done))
    const error = await getData(nowhere, { retries: 0 }).catch((error: Error) => error)
    expect(error).toMatchObject({ message: expect.stringContaining('ECONNREFUSED') })
    expect((error as Error).message).toContain(`put it at\n  ${path()}`)
    answer = (_, response) => response.writeHead(404).end()
    await expect(getData(set)).rejects.toThrow('status 404')
    expect(ranges).toHaveLength(1)
  })

  it('stops when told to', async () => {
    const controller = new AbortController()
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': FILE.length, etag: '"v1"' }).write(FILE.slice(0, 2000))
      setTimeout(() => controller.abort(new Error('enough')), 50)
    }
    await expect(getData(set, { signal: controller.signal })).rejects.toThrow()
    expect(ranges).toHaveLength(1)
  })
})

describe('data sets', () => {
  it('are streams once they are there', () => {
    expect(() => openStream('jiaolong')).toThrow('jiaolong: not downloaded yet; pb-oel data get jiaolong')
    const elec = DATA_SETS.find(({ name }) => name === 'electricity') as DataSet
    writeFileSync(dataSetPath(elec), 'a,l\n1,UP\n2,DOWN\n')
    expect(openStream('electricity').levels).toEqual(['UP', 'DOWN'])
    expect(localCopy('electricity')).toBe(join(folder.path, 'data', 'elec.csv'))
    expect(() => localCopy('moon')).toThrow('one of jiaolong')
    expect(() => openStream('weather')).toThrow(DataError)
  })
})
