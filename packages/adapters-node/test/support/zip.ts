import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of a zip archive in tests. */
export interface ZipEntry {
  readonly name: string
  readonly content: string | Uint8Array
  /** The size that the archive claims for it, where it is another one. */
  readonly claimed?: number
}

const header = (
  signature: number,
  { name, content, claimed }: ZipEntry,
  packed: Buffer,
  start: Buffer,
): Buffer => {
  const bytes = Buffer.from(content)
  const fields = Buffer.alloc(22)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(0x0800, 2)
  fields.writeUInt16LE(8, 4)
  fields.writeUInt32LE(crc32(bytes), 10)
  fields.writeUInt32LE(packed.length, 14)
  fields.writeUInt32LE(claimed ?? bytes.length, 18)
  const head = Buffer.alloc(4)
  head.writeUInt32LE(signature)
  const lengths = Buffer.alloc(4)
  lengths.writeUInt16LE(Buffer.byteLength(name), 0)
  return Buffer.concat([head, start, fields, lengths])
}

/** Writes a zip archive, with names and sizes as they are given. */
export const zipOf = (...entries: ReadonlyArray<ZipEntry>): Buffer => {
  const [locals, directory]: [Array<Buffer>, Array<Buffer>] = [[], []]
  let offset = 0
  for (const entry of entries) {
    const packed = deflateRawSync(Buffer.from(entry.content))
    const name = Buffer.from(entry.name)
    const local = Buffer.concat([header(0x04034b50, entry, packed, Buffer.alloc(0)), name, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(header(0x02014b50, entry, packed, Buffer.from([20, 3])), rest, name)
    locals.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, central, end])
}
