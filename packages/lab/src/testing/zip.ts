import { crc32, deflateRawSync } from 'node:zlib'

/** A zip archive of the given files, each deflated or stored in turn, as other programs write it. */
export function zip(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [i, [name, text]] of Object.entries(files).entries()) {
    const content = Buffer.from(text)
    const method = i % 2 === 0 ? 8 : 0
    const packed = method === 8 ? deflateRawSync(content) : content
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(method, 4)
    fields.writeUInt32LE(crc32(content), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(content.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    const path = Buffer.from(name)
    parts.push(Buffer.concat([Buffer.from('PK\x03\x04'), fields, path, packed]))
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, place, path]))
    offset += parts[i].length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}
