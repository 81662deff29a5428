import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { decodeText } from '../streams/byte-source.ts'
import { testFolder } from '../testing/folder.ts'
import { zip } from '../testing/zip.ts'
import { ZipArchive } from './zip-archive.ts'

const folder = testFolder()
const text = 'abc '.repeat(1000)
const bytes = zip({ 'top/a.txt': text, 'top/b.txt': 'stored' })

/** What the archive says of `a.txt` after a change of its bytes. */
function reading(change: (bytes: Buffer) => Buffer | undefined, name = 'a.txt') {
  const copy = Buffer.from(bytes)
  const path = folder.write('archive.zip', change(copy) ?? copy)
  return () => {
    const archive = new ZipArchive(path)
    try {
      return decodeText(archive.read(name).next() as Uint8Array)
    } finally {
      archive.close()
    }
  }
}
const nothing = () => undefined
const set = (at: number, value: number) => (copy: Buffer) => {
  copy[at] = value
  return copy
}
const directory = bytes.indexOf('PK\x01\x02')
const end = bytes.indexOf('PK\x05\x06')

describe('ZipArchive', () => {
  it('reads deflated and stored files by their names, and an archive with a comment', () => {
    expect(reading(nothing)()).toBe(text)
    expect(reading(nothing, 'top/b.txt')()).toBe('stored')
    expect(reading((copy) => Buffer.concat([copy, Buffer.alloc(9000, 'PK')]))()).toBe(text)
  })

  it.each([
    ['no zip archive', () => Buffer.from('<html>'), 'not a complete zip archive'],
    ['an archive that was cut', (copy: Buffer) => copy.subarray(0, end), 'not a complete zip archive'],
    ['other bytes in a file', set(45, 0xff), 'a.txt is damaged'],
    ['a file that is as long as it says but another', set(directory + 16, 1), 'its CRC-32 is another'],
    ['a file that unpacks to more than it says', set(directory + 25, 1), 'a.txt is damaged: it cannot be unpacked'],
    ['a file that unpacks to less than it says', set(directory + 25, 0x7f), 'has 4000 bytes; expected'],
    ['a file too large', set(directory + 27, 0x7f), 'expected at most 67108864'],
    ['another method', set(directory + 10, 12), 'is packed by method 12; expected 0 (stored) or 8'],
    ['an encrypted file', set(directory + 8, 1), 'a.txt is encrypted'],
    ['a damaged directory', set(directory, 1), 'the directory of the archive is damaged at entry 1 of 2'],
    ['a directory that leads astray', set(directory + 42, 1), 'does not begin where the directory says'],
    ['a directory behind the end', set(end + 18, 0x7f), 'the archive ends too early'],
    ['zip64', (copy: Buffer) => copy.fill(0xff, end + 16, end + 20), 'is a zip64 archive'],
  ])('refuses %s', (_, change, message) => {
    expect(reading(change)).toThrow(message)
  })

  it('says what the archive holds when a file is not in it', () => {
    expect(reading(nothing, 'c.txt')).toThrow('no file c.txt in the archive; it holds top/a.txt, top/b.txt')
    expect(() => new ZipArchive(`${folder.path}/none.zip`)).toThrow('no such file')
  })

  it('reads what another program has written (needs python3)', ({ skip }) => {
    const path = `${folder.path}/python.zip`
    const program = `import zipfile, sys
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as z:
  z.writestr('data/x.csv', 'a,b\\n' * 500)`
    try {
      execFileSync('python3', ['-c', program, path])
    } catch {
      skip()
    }
    const archive = new ZipArchive(path)
    expect(decodeText(archive.read('x.csv').next() as Uint8Array)).toBe('a,b\n'.repeat(500))
    archive.close()
  })
})
