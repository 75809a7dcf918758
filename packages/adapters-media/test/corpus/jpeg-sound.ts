import sharp from 'sharp'
import { crowdedExif, endlessExif, exifPayload, phoneExif, plainExif, SECRET } from './exif.ts'
import {
  beforeEnd,
  EOI,
  flatData,
  flatHead,
  jpegOf,
  markerAt,
  patched,
  plainJpeg,
  restartedData,
  segment,
  withoutAll,
  withSegments,
} from './jpeg-file.ts'
import { HEIGHT, noise, pixelsOf, STORED_CORNERS, storedSize, WIDTH } from './pixels.ts'
import { jpegUpload, type Upload } from './upload.ts'

const text = (value: string): Buffer => Buffer.from(value, 'latin1')

const COMMENT = 0xfe
const exif = (tiff: Uint8Array): Buffer => segment(0xe1, exifPayload(tiff))
const xmp = (packet: string): Buffer => segment(0xe1, text(`http://ns.adobe.com/xap/1.0/\0${packet}`))

/** Every segment that can carry text, with a secret in it, and the secret behind the end. */
export const talkativeJpeg = async (): Promise<Buffer> =>
  Buffer.concat([
    withSegments(
      await plainJpeg(),
      exif(phoneExif(1)),
      xmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${SECRET}</x:xmpmeta>`),
      segment(0xed, text(`Photoshop 3.0\x008BIM${SECRET}`)),
      segment(0xe5, text(SECRET)),
      segment(COMMENT, text(SECRET)),
    ),
    text(SECRET),
  ])

const turnedJpeg = async (orientation: number, tiff: (orientation: number) => Buffer): Promise<Buffer> => {
  const { width, height } = storedSize(orientation)
  return withSegments(await jpegOf(width, height, {}, STORED_CORNERS[orientation]), exif(tiff(orientation)))
}

/** A photo taken with the phone upright, stored on its side. */
export const lyingJpeg = (): Promise<Buffer> => turnedJpeg(6, phoneExif)

const turned = async (): Promise<ReadonlyArray<Upload>> =>
  Promise.all(
    [1, 2, 3, 4, 5, 6, 7, 8].map(async (n) =>
      jpegUpload(`JPEG of orientation ${n}`, await turnedJpeg(n, n % 2 === 0 ? phoneExif : plainExif), 'ok'),
    ),
  )

/** A picture with a smaller one behind it, and the index that announces it: how gain maps and stereo pairs are stored. */
const multiPicture = (jpeg: Buffer, second: Buffer): Buffer => {
  const index = Buffer.concat([text('MPF\0II*\0'), Buffer.from('08000000', 'hex'), Buffer.alloc(80)])
  const gain = xmp('<x:xmpmeta xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"/>')
  return Buffer.concat([withSegments(jpeg, gain, segment(0xe2, index)), second])
}

const passengers = (jpeg: Buffer, small: Buffer): ReadonlyArray<Upload> => [
  jpegUpload(
    'JPEG with HTML in a comment',
    withSegments(jpeg, segment(COMMENT, text('<script>alert(1)</script>'))),
    'ok',
  ),
  jpegUpload('JPEG that begins as a script', withSegments(jpeg, segment(0xe0, text('/*=alert(1);//'))), 'ok'),
  jpegUpload(
    'JPEG that is also a PDF',
    withSegments(jpeg, segment(COMMENT, text('%PDF-1.7\n1 0 obj<<>>endobj'))),
    'ok',
  ),
  jpegUpload('JPEG with HTML appended', Buffer.concat([jpeg, text('<script>alert(1)</script>')]), 'ok'),
  jpegUpload(
    'JPEG with a ZIP appended',
    Buffer.concat([jpeg, text('PK\x03\x04'), noise(3000), text('PK\x05\x06')]),
    'ok',
  ),
  jpegUpload(
    'JPEG with a film appended',
    Buffer.concat([jpeg, text('\0\0\0\x18ftypmp42'), noise(50_000)]),
    'ok',
  ),
  jpegUpload('JPEG with zeros appended', Buffer.concat([jpeg, Buffer.alloc(4096)]), 'ok'),
  jpegUpload('JPEG with a gain map', multiPicture(jpeg, small), 'ok'),
  jpegUpload('JPEG whose EXIF is endless', withSegments(jpeg, exif(endlessExif())), 'ok'),
  jpegUpload('JPEG whose EXIF is crowded', withSegments(jpeg, exif(crowdedExif())), 'ok'),
  jpegUpload('JPEG whose EXIF is noise', withSegments(jpeg, exif(noise(60_000))), 'ok'),
  jpegUpload('JPEG whose EXIF is empty', withSegments(jpeg, exif(Buffer.alloc(0))), 'ok'),
  jpegUpload(
    'JPEG whose EXIF fills megabytes',
    withSegments(jpeg, ...Array.from({ length: 100 }, () => exif(noise(65_000)))),
    'ok',
  ),
  jpegUpload(
    'JPEG whose profile is noise',
    withSegments(jpeg, segment(0xe2, Buffer.concat([text('ICC_PROFILE\0\x01\x01'), noise(5000)]))),
    'ok',
  ),
  jpegUpload('JPEG with filling before its end', beforeEnd(jpeg, Buffer.alloc(22, 0xff)), 'ok'),
  jpegUpload('JPEG with zeros before its end', beforeEnd(jpeg, Buffer.alloc(22)), 'ok'),
  jpegUpload('JPEG with noise before its end', beforeEnd(jpeg, noise(100)), 'ok'),
  jpegUpload(
    'JPEG with noise between its segments',
    Buffer.concat([jpeg.subarray(0, 20), Buffer.alloc(9, 7), jpeg.subarray(20)]),
    'ok',
  ),
  jpegUpload('JPEG with two ends', Buffer.concat([jpeg, EOI]), 'ok'),
  jpegUpload(
    'JPEG with JFIF',
    withSegments(jpeg, segment(0xe0, text('JFIF\0\x01\x02\0\0\x48\0\x48\0\0'))),
    'ok',
  ),
  jpegUpload(
    'JPEG of a JFIF that does not exist',
    withSegments(jpeg, segment(0xe0, text('JFIF\0\x09\x09\0\0\0\0\0\0\0'))),
    'ok',
  ),
  jpegUpload('JPEG sent as PNG', jpeg, 'ok', { declaredType: 'image/png', fileName: 'photo.png' }),
]

/** Pictures of one tone in layouts that encoders here do not make. */
const layouts = (): ReadonlyArray<Upload> => {
  const flat = (name: string, factors: ReadonlyArray<number>, data: Buffer, restartAfter = 0): Upload => {
    const head = flatHead({ width: WIDTH, height: HEIGHT, factors, restartAfter })
    return jpegUpload(name, Buffer.concat([head, data, EOI]), 'ok', { fourColours: false })
  }
  const blocks = (WIDTH / 8) * (HEIGHT / 8)
  return [
    flat('JPEG of one tone', [0x11], flatData(blocks)),
    flat('grey JPEG of factors that mean nothing', [0x22], flatData(blocks)),
    flat('JPEG with restart markers', [0x11], restartedData(blocks / 4), 4),
    flat('JPEG of 4:2:2', [0x21, 0x11, 0x11], flatData(blocks * 2)),
    flat('JPEG of 4:4:0', [0x12, 0x11, 0x11], flatData(blocks * 2)),
    flat('JPEG with data that belong to no block', [0x11], Buffer.concat([flatData(blocks), noise(100)])),
    flat('JPEG of 4:1:1', [0x41, 0x11, 0x11], flatData(Math.ceil(WIDTH / 32) * (HEIGHT / 8) * 6)),
  ]
}

/** What encoders and phones write, and a strict decoder warns of. */
const unusual = async (jpeg: Buffer): Promise<ReadonlyArray<Upload>> => {
  const image = sharp(pixelsOf(WIDTH, HEIGHT), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
  const cmyk = await image.toColourspace('cmyk').jpeg({ quality: 92 }).toBuffer()
  const progressive = await plainJpeg({ progressive: true })
  const adobe = (transform: number) =>
    segment(0xee, Buffer.concat([text('Adobe\0\x64\0\0\0\0'), Buffer.from([transform])]))
  const printed = { fourColours: false }
  return [
    jpegUpload('CMYK JPEG', cmyk, 'ok', printed),
    jpegUpload('YCCK JPEG', patched(cmyk, 0xee, 15, 2), 'ok', printed),
    jpegUpload('CMYK JPEG of an unknown transform', patched(cmyk, 0xee, 15, 7), 'ok', printed),
    jpegUpload('JPEG of an unknown transform', withSegments(withoutAll(jpeg, 0xe0), adobe(9)), 'ok'),
    jpegUpload(
      'baseline JPEG with the parameters of a progressive one',
      patched(jpeg, 0xda, 4 + 1 + 2 * 3, 0, 0, 0),
      'ok',
    ),
    jpegUpload('progressive JPEG with zeros before its end', beforeEnd(progressive, Buffer.alloc(22)), 'ok'),
    jpegUpload(
      'JPEG with markers that are not defined',
      withSegments(
        jpeg,
        ...[0x02, 0x4f, 0xbf, 0xf0, 0xfd].map((marker) => segment(marker, text('x'.repeat(40)))),
      ),
      'ok',
    ),
    jpegUpload(
      'JPEG with two of each table',
      withSegments(
        jpeg,
        ...[0xdb, 0xc4].map((marker) => {
          const at = markerAt(jpeg, marker)
          return jpeg.subarray(at, at + 2 + jpeg.readUInt16BE(at + 2))
        }),
      ),
      'ok',
    ),
    jpegUpload(
      'JPEG with restart markers before its first segment',
      withSegments(jpeg, text('\xff\xd0\xff\xd7\xff\x01')),
      'ok',
    ),
    jpegUpload(
      'JPEG with a cut second JPEG behind it',
      Buffer.concat([jpeg, jpeg.subarray(0, jpeg.length / 2)]),
      'ok',
    ),
  ]
}

/** JPEGs that are to be taken. */
export const soundJpegs = async (): Promise<ReadonlyArray<Upload>> => {
  const jpeg = await plainJpeg()
  const image = sharp(pixelsOf(WIDTH, HEIGHT), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
  return [
    jpegUpload('JPEG', jpeg, 'ok'),
    jpegUpload('progressive JPEG', await plainJpeg({ progressive: true }), 'ok'),
    jpegUpload('JPEG of halved colour', await plainJpeg({ chromaSubsampling: '4:2:0' }), 'ok'),
    jpegUpload('grey JPEG', await image.clone().greyscale().jpeg().toBuffer(), 'ok', { fourColours: false }),
    jpegUpload(
      'JPEG in Display P3',
      await image.clone().withIccProfile('p3').jpeg({ quality: 92 }).toBuffer(),
      'ok',
    ),
    jpegUpload('JPEG that tells everything', await talkativeJpeg(), 'ok'),
    ...(await unusual(jpeg)),
    ...(await turned()),
    ...layouts(),
    ...passengers(jpeg, await jpegOf(100, 140)),
  ]
}
