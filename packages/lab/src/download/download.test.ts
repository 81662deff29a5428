import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { DataError } from '../errors.ts'
import { PREPARATIONS } from '../preparation/preparations.ts'
import { DATA_SETS, type DataSet, dataSetPath, dataSetSource, findDataSet, localCopy } from '../streams/data-sets.ts'
import { openStream } from '../streams/open-stream.ts'
import { testFolder } from '../testing/folder.ts'
import { ORIGINAL_DATA } from '../testing/original-data.ts'
import { zip } from '../testing/zip.ts'
import { getData } from './get-data.ts'

const folder = testFolder()
process.env.PB_OEL_CACHE = folder.path
afterAll(() => delete process.env.PB_OEL_CACHE)

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
const variables = Array.from({ length: 51 }, (_, i) => i + 1).join()
const features = (row: number) => Array.from({ length: 33 }, (_, f) => (100 * row + f) / 100).join()

/** Serves the file from where it is asked for; `upTo` cuts the connection there. */
function serve({ etag = '"v1"', content = FILE, upTo = Infinity } = {}) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const from =
      request.headers.range && request.headers['if-range'] === etag
        ? Number(request.headers.range.match(/\d+/)?.[0])
        : 0
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': content.length - from, ...(etag && { etag }) })
    if (content.length <= upTo) response.end(content.slice(from))
    else response.write(content.slice(from, upTo), () => cutAt(response, upTo))
  }
}

/** Cuts the connection as soon as so many bytes are in the file. */
function cutAt(response: ServerResponse, bytes: number): void {
  if (statSync(`${path()}.partial`, { throwIfNoEntry: false })?.size === bytes) response.destroy()
  else setTimeout(cutAt, 5, response, bytes)
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

/** Small originals of every data set that is prepared: what each level has then, and some rows by their number. */
const PREPARED: Record<string, { levels: number[]; rows: Record<number, string> }> = {
  // One experiment of each folder in turn, by number: valve1/0, other/1, valve2/0, valve1/2, other/11, valve1/10.
  skab: {
    levels: [12, 3, 2, 1],
    rows: {
      0: 'accelerometer1rms,accelerometer2rms,current,pressure,temperature,thermocouple,voltage,volume_flow_raterms,level',
      1: '0.02,0.04,2,-0.27,79.3,26,233,32,0',
      2: '0.02,0.04,2,-0.27,79.3,26,233,32,1',
      5: '0.02,0.04,3,-0.27,79.3,26,233,32,3',
      8: '0.02,0.04,5,-0.27,79.3,26,233,32,2',
      11: '0.02,0.04,1,-0.27,79.3,26,233,32,1',
      14: '0.02,0.04,4,-0.27,79.3,26,233,32,3',
      17: '0.02,0.04,0,-0.27,79.3,26,233,32,1',
    },
  },
  tep5: {
    levels: [640 + 3 + 400, 4, 4, 4, 4],
    rows: {
      160: `1159,${variables},0`,
      161: `1160,${variables},1`,
      [162 + 161]: `4160,${variables},2`,
      [4 * 162 + 3]: `2,${variables},0`,
      [4 * 162 + 4]: `8000,${variables},3`,
      [4 * 162 + 6]: `0,${variables},0`,
      [4 * 162 + 105]: `99,${variables},0`,
      [4 * 162 + 106]: `1000,${variables},1`,
    },
  },
  hydcooler: {
    levels: [2, 1, 1],
    rows: {
      2: '11.5,0.5,1,21.5,0.5,1,31.5,0.5,1,41.5,0.5,1,0',
      4: '13.5,0.5,1,23.5,0.5,1,33.5,0.5,1,43.5,0.5,1,2',
    },
  },
  occupancy: {
    levels: [10, 9_990],
    rows: { 1: '23.7,26.272,585.2,749.2,0.004764163024,1', 10000: '23.7,26.272,585.2,749.2,0.004764163024,0' },
  },
  ai4i: { levels: [2, 1], rows: { 1: '298.1,308.6,1551,42.8,0,1,0', 2: '298.1,308.6,1551,42.8,0,0,0' } },
  // Rows 0, 2, 4, 7 and 9 of the original.
  insects: { levels: [3, 2], rows: { 1: `${features(0)},1`, 2: `${features(2)},0`, 5: `${features(9)},0` } },
  keystroke: {
    levels: [1, 1],
    rows: { 1: '0.0978,0.0634,0.043,0.6265,0.5054,0.1502,0.0798,0.0507,0.1945,0.1461,2' },
  },
}

describe('data sets that are prepared', () => {
  const small = (name: string): DataSet => {
    const { url } = set
    return { ...(findDataSet(name) as DataSet), url, levels: PREPARED[name].levels }
  }

  it('have originals and preparations, and nothing else has', () => {
    const names = DATA_SETS.filter(({ source }) => source !== undefined).map(({ name }) => name)
    expect(Object.keys(PREPARATIONS)).toEqual(names)
    expect(Object.keys(PREPARED)).toEqual(names)
  })

  it.each(Object.keys(PREPARED))('%s is made from what its address gives', async (name) => {
    answer = (_, response) => response.end(ORIGINAL_DATA[name])
    const { path, downloaded } = await getData(small(name))
    expect(downloaded).toBe(true)
    const rows = readFileSync(path, 'utf8').split('\n')
    for (const [at, row] of Object.entries(PREPARED[name].rows)) expect(rows[Number(at)], `row ${at}`).toBe(row)
    expect(existsSync(`${dataSetSource(small(name))}.partial`)).toBe(false)
    expect(openStream(name).channels).toHaveLength(small(name).channels)
    rmSync(path)
  })

  it('are made from an original that somebody put there, which stays', async () => {
    const keystroke = small('keystroke')
    const source = dataSetSource(keystroke) as string
    writeFileSync(source, ORIGINAL_DATA.keystroke)
    expect(await getData(keystroke)).toMatchObject({ downloaded: false })
    expect(ranges).toHaveLength(0)
    expect(existsSync(source)).toBe(true)
    rmSync(source)
    rmSync(dataSetPath(keystroke))
    answer = (_, response) => response.writeHead(404).end()
    await expect(getData(keystroke)).rejects.toThrow(`put it at\n  ${source}\nthen say pb-oel data get keystroke again`)
  })

  it.each([
    ['skab', '<html>', 'skab.zip.partial: not a complete zip archive'],
    ['skab', zip({ 'data/valve1/1.csv': 'x' }), 'no files data/other/<number>.csv in the archive'],
    ['occupancy', zip({ 'a.txt': 'x' }), 'no file datatest.txt in the archive; it holds a.txt'],
    ['tep5', zip({ 'd01_te.dat': '1 2\n3\n' }), 'd01_te.dat: its rows differ in length'],
    ['tep5', zip({ 'd01_te.dat': '1 2\n3 4\n' }), 'd01_te.dat: expected 52 columns or rows, found 2 and 2'],
    ['ai4i', zip({ 'ai4i2020.csv': 'Type\nM\n' }), 'ai4i2020.csv, line 1: no column "Machine failure"; there are Type'],
    ['insects', '1,2\n', 'line 1: expected 33 features and a class, found 2 in all'],
    ['keystroke', '@attribute a numeric\n@data\nx\n', 'line 3: expected 11 cells, found 1'],
    ['keystroke', ORIGINAL_DATA.keystroke.toString().replace(',0.51,', ',,'), 'cell 10 is ""; expected a number'],
  ])('%s says what is wrong with another original, and leaves nothing behind', async (name, original, message) => {
    answer = (_, response) => response.end(original)
    await expect(getData(small(name))).rejects.toThrow(message)
    await expect(getData(small(name))).rejects.toThrow(`${name}: what came from ${set.url} is not this data set`)
    const { source, file } = small(name)
    for (const left of [file, `${file}.new`, `${source}.partial`]) {
      expect(existsSync(join(folder.path, 'data', left)), left).toBe(false)
    }
  })
})

describe('data sets', () => {
  it('have the numbers that their summaries and their publishers name', () => {
    for (const { name, summary, channels, levels } of DATA_SETS) {
      const samples = levels.reduce((sum, count) => sum + count, 0).toLocaleString('en-US')
      expect([name, summary]).toEqual([
        name,
        expect.stringMatching(new RegExp(`: ${channels} channels, ${levels.length} levels, ${samples} samples$`)),
      ])
    }
    const majority = (name: string) => {
      const { levels } = findDataSet(name) as DataSet
      return Math.max(...levels) / levels.reduce((sum, count) => sum + count, 0)
    }
    expect(majority('electricity')).toBeCloseTo(0.5755, 4)
    expect(majority('weather')).toBeCloseTo(0.6862, 4)
    expect(majority('jiaolong')).toBeCloseTo(10_985 / 30_000, 4)
    expect(findDataSet('jiaolong')?.levels).toEqual([10_512, 10_985, 8_503])
  })

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
