import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'

/** An entry of a zip archive in tests. */
export interface ZipEntry {
  /** Bytes where it is no UTF-8. */
  readonly name: string | Uint8Array
  readonly content: string | Uint8Array
  /** The size that the archive claims for it, where it is another one. */
  readonly claimed?: number
  /** The checksum that the archive claims for it, where it is another one. */
  readonly checksum?: number
  /** 8, Deflate, unless given; the content is packed so in any case. */
  readonly method?: number
  /** 0x0800, a name in UTF-8, unless given. */
  readonly flags?: number
  /** The kind and permissions that Unix has for it; none unless given. */
  readonly mode?: number
}

interface Packed extends ZipEntry {
  readonly packed: Buffer
  readonly raw: Buffer
}

const header = (
  signature: number,
  { content, claimed, checksum, method = 8, flags = 0x0800, packed, raw }: Packed,
  start: Buffer,
): Buffer => {
  const bytes = Buffer.from(content)
  const fields = Buffer.alloc(22)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(flags, 2)
  fields.writeUInt16LE(method, 4)
  fields.writeUInt32LE(checksum ?? crc32(bytes), 10)
  fields.writeUInt32LE(packed.length, 14)
  fields.writeUInt32LE(claimed ?? bytes.length, 18)
  const head = Buffer.alloc(4)
  head.writeUInt32LE(signature)
  const lengths = Buffer.alloc(4)
  lengths.writeUInt16LE(raw.length, 0)
  return Buffer.concat([head, start, fields, lengths])
}

/** Writes a zip archive, with names, sizes and flags as they are given. */
export const zipOf = (...entries: ReadonlyArray<ZipEntry>): Buffer => {
  const [locals, directory]: [Array<Buffer>, Array<Buffer>] = [[], []]
  let offset = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name as string)
    const packed = { ...entry, raw: name, packed: deflateRawSync(Buffer.from(entry.content)) }
    const local = Buffer.concat([header(0x04034b50, packed, Buffer.alloc(0)), name, packed.packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((entry.mode ?? 0) * 0x1_0000, 6)
    rest.writeUInt32LE(offset, 10)
    directory.push(header(0x02014b50, packed, Buffer.from([20, 3])), rest, name)
    locals.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length % 0x1_0000, 8)
  end.writeUInt16LE(entries.length % 0x1_0000, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, central, end])
}

/** Reads a sound zip archive: the bytes of its entries by name. */
export const entriesOf = (archive: Buffer): ReadonlyMap<string, Buffer> => {
  const entries = new Map<string, Buffer>()
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06'))
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [length, extra, comment] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ]
    const name = archive.toString('utf8', at + 46, at + 46 + length)
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const packed = archive.subarray(start, start + archive.readUInt32LE(at + 20))
    entries.set(name, archive.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed)
    at += 46 + length + extra + comment
  }
  return entries
}
