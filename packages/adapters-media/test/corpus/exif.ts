/** A text that must not come out of any checked image. */
export const SECRET = 'KEEP-THIS-FROM-READERS'

const entry = (tag: number, type: number, count: number, value: number): Buffer => {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt16LE(tag, 0)
  bytes.writeUInt16LE(type, 2)
  bytes.writeUInt32LE(count, 4)
  bytes.writeUInt32LE(value, 8)
  return bytes
}

const directory = (entries: ReadonlyArray<Buffer>, next = 0): Buffer => {
  const count = Buffer.alloc(2)
  count.writeUInt16LE(entries.length)
  const link = Buffer.alloc(4)
  link.writeUInt32LE(next)
  return Buffer.concat([count, ...entries, link])
}

const LITTLE = Buffer.from('49492a0008000000', 'hex')

/** EXIF as a phone writes it: orientation, a place on Earth, the maker's name. Little-endian. */
export const phoneExif = (orientation: number): Buffer => {
  const text = Buffer.from(`${SECRET}\0`, 'latin1')
  const gpsAt = LITTLE.length + 2 + 3 * 12 + 4
  const textAt = gpsAt + 2 + 3 * 12 + 4
  const main = directory([
    entry(0x010f, 2, text.length, textAt),
    entry(0x0112, 3, 1, orientation),
    entry(0x8825, 4, 1, gpsAt),
  ])
  const gps = directory([
    entry(0x0001, 2, 2, 0x4e),
    entry(0x0002, 5, 3, textAt + text.length),
    entry(0x001d, 2, 2, 0x31),
  ])
  const degrees = Buffer.alloc(24, Buffer.from([48, 0, 0, 0, 1, 0, 0, 0]))
  return Buffer.concat([LITTLE, main, gps, text, degrees])
}

/** EXIF of one entry, big-endian. */
export const plainExif = (orientation: number): Buffer =>
  Buffer.concat([
    Buffer.from('4d4d002a000000080001011200030000000100', 'hex'),
    Buffer.from([orientation, 0, 0, 0, 0, 0, 0]),
  ])

/** Directories that point at each other for ever, and entries that claim four billion values. */
export const endlessExif = (): Buffer =>
  Buffer.concat([
    LITTLE,
    directory(
      [
        entry(0x8769, 4, 1, 8),
        entry(0x8825, 4, 1, 8),
        entry(0x9286, 7, 0xffffffff, 8),
        entry(0x0112, 3, 1, 1),
      ],
      8,
    ),
  ])

/** As many entries as a segment has room for, all of them claiming more than there is. */
export const crowdedExif = (): Buffer =>
  Buffer.concat([
    LITTLE,
    directory(Array.from({ length: 5400 }, (_, n) => entry(0x010f + n, 2, 0x7fffffff, 8))),
  ])

/** An EXIF block as a JPEG carries it. */
export const exifPayload = (tiff: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
