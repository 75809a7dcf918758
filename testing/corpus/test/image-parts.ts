import sharp, { type JpegOptions, type Sharp } from 'sharp'
import { exifPayload, plainExif } from '../../../packages/adapters-media/test/corpus/exif.ts'
import { segment, withSegments } from '../../../packages/adapters-media/test/corpus/jpeg-file.ts'
import {
  type Corners,
  FOUR_COLOURS,
  HEIGHT,
  STORED_CORNERS,
  storedSize,
  WIDTH,
} from '../../../packages/adapters-media/test/corpus/pixels.ts'

// The parts that the images of the corpus are made of.

export const text = (value: string): Buffer => Buffer.from(value, 'latin1')

const uint32LE = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** Four colours that change slowly, so that files are small and no two rows are alike. RGB of 8 bits. */
export const pixelsOf = (width: number, height: number, corners: Corners = FOUR_COLOURS): Buffer => {
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const colour = corners[(x >= width / 2 ? 1 : 0) + (y >= height / 2 ? 2 : 0)] ?? [0, 0, 0]
      const shade = ((x * 3 + y * 5) % 96) / 16 - 3
      pixels.set(
        colour.map((level) => Math.round(level + shade)),
        (y * width + x) * 3,
      )
    }
  return pixels
}

export const imageOf = (width = WIDTH, height = HEIGHT, corners?: Corners): Sharp =>
  sharp(pixelsOf(width, height, corners), { raw: { width, height, channels: 3 } })

export const jpeg = (options: JpegOptions = {}): Promise<Buffer> =>
  imageOf()
    .jpeg({ quality: 85, ...options })
    .toBuffer()

/** A photo as a phone stores it, with the orientation that turns it upright. */
export const turnedJpeg = async (orientation: number): Promise<Buffer> => {
  const { width, height } = storedSize(orientation)
  const photo = await imageOf(width, height, STORED_CORNERS[orientation]).jpeg({ quality: 85 }).toBuffer()
  return withSegments(photo, exif(orientation))
}

export const exif = (orientation: number): Buffer => segment(0xe1, exifPayload(plainExif(orientation)))

export const xmp = (attributes: string): Buffer =>
  segment(
    0xe1,
    text(
      `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description ${attributes}/></rdf:RDF></x:xmpmeta>`,
    ),
  )

/** A film of no length, as phones append it to a photo. */
export const film = (): Buffer => {
  const box = (type: string, data: Buffer): Buffer => {
    const size = Buffer.alloc(4)
    size.writeUInt32BE(data.length + 8)
    return Buffer.concat([size, text(type), data])
  }
  return Buffer.concat([
    box('ftyp', text('mp42\0\0\0\0isommp42')),
    box('mdat', Buffer.alloc(600, text('\0\0\x01\xff\xd8\xff\xd9'))),
    box('moov', box('mvhd', Buffer.alloc(100))),
  ])
}

/** One entry of a multi-picture index: attribute, size and offset of a picture. */
const entry = (attribute: number, size: number, offset: number): Buffer =>
  Buffer.concat([uint32LE(attribute), uint32LE(size), uint32LE(offset), Buffer.alloc(4)])

const field = (tag: number, type: number, count: number, value: Buffer): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(tag, 0)
  bytes.writeUInt16LE(type, 2)
  bytes.writeUInt32LE(count, 4)
  return Buffer.concat([bytes, value])
}

/** A multi-picture file (CIPA DC-007): an index in the first picture, and the others behind it. */
export const multiPicture = (first: Buffer, ...others: ReadonlyArray<Buffer>): Buffer => {
  const count = others.length + 1
  const listAt = 8 + 2 + 3 * 12 + 4
  const indexLength = 4 + listAt + count * 16
  const length = first.length + indexLength + 4
  let at = length - 2 - 4 - 4
  const entries = others.map((picture) => {
    const one = entry(0x00_02_00_02, picture.length, at)
    at += picture.length
    return one
  })
  const index = Buffer.concat([
    text('MPF\0II*\0'),
    uint32LE(8),
    Buffer.from([3, 0]),
    field(0xb000, 7, 4, text('0100')),
    field(0xb001, 4, 1, uint32LE(count)),
    field(0xb002, 7, count * 16, uint32LE(listAt)),
    uint32LE(0),
    entry(0x20_03_00_00, length, 0),
    ...entries,
  ])
  return Buffer.concat([withSegments(first, segment(0xe2, index)), ...others])
}

/** The trailer of Samsung phones: named blocks, a directory that counts back from itself, and its length. */
export const samsungTrailer = (blocks: Readonly<Record<string, Buffer>>): Buffer => {
  const parts = Object.entries(blocks).map(([name, data], n) =>
    Buffer.concat([Buffer.from([0, 0, n + 1, 0x0a]), uint32LE(name.length), text(name), data]),
  )
  const total = parts.reduce((sum, part) => sum + part.length, 0)
  let before = 0
  const entries = parts.map((part, n) => {
    const one = Buffer.concat([
      Buffer.from([0, 0, n + 1, 0x0a]),
      uint32LE(total - before),
      uint32LE(part.length),
    ])
    before += part.length
    return one
  })
  const directory = Buffer.concat([text('SEFH'), uint32LE(106), uint32LE(parts.length), ...entries])
  return Buffer.concat([...parts, directory, uint32LE(directory.length), text('SEFT')])
}
