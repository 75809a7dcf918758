import sharp from 'sharp'
import { noise } from './pixels.ts'
import { type Upload, uploadsOf } from './upload.ts'

const text = (value: string): Buffer => Buffer.from(value, 'latin1')
const hex = (value: string): Buffer => Buffer.from(value, 'hex')

/** Files whose name or signature does not match their content. */
const liar = uploadsOf('image/png', 'picture.png')
const fakePhoto = uploadsOf('image/jpeg', 'photo.jpg')

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="560"><rect width="9" height="9"/></svg>'
const SCRIPT =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(document.cookie)</script></svg>'
const ENTITY =
  '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>'
const HTML = '<!doctype html><script>alert(document.cookie)</script>'

const texts: ReadonlyArray<Upload> = [
  liar('SVG', text(SVG), 'unsupported', { declaredType: 'image/svg+xml', fileName: 'drawing.svg' }),
  liar('SVG with a script', text(SCRIPT), 'unsupported'),
  liar('SVG that reads a file', text(ENTITY), 'unsupported'),
  liar('HTML named .png', text(HTML), 'unsupported'),
  liar('HTML declared as HTML', text(HTML), 'unsupported', {
    declaredType: 'text/html',
    fileName: 'index.html',
  }),
  liar('plain text', text('hello'), 'unsupported'),
  fakePhoto('PHP named .jpg', text('<?php system($_GET["c"]); ?>'), 'unsupported'),
  liar('PostScript', text('%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 400 560\n'), 'unsupported'),
  fakePhoto(
    'PDF',
    text('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
    'unsupported',
  ),
  liar('ImageMagick script', text('push graphic-context\nimage over 0,0 0,0 "|id"\n'), 'unsupported'),
]

const bmp = (): Buffer => {
  const head = hex('424d360000000000000036000000280000000200000002000000010018000000000010000000')
  return Buffer.concat([head, Buffer.alloc(16 + 16, 0x7f)])
}

const binaries: ReadonlyArray<Upload> = [
  liar('BMP', bmp(), 'unsupported'),
  liar(
    'ICO',
    Buffer.concat([hex('00000100010010100000010020006804000016000000'), noise(1128)]),
    'unsupported',
  ),
  liar(
    'ZIP',
    Buffer.concat([hex('504b03041400'), noise(400), hex('504b0506'), Buffer.alloc(18)]),
    'unsupported',
  ),
  liar('gzip', Buffer.concat([hex('1f8b0800'), noise(300)]), 'unsupported'),
  fakePhoto('HEIC', Buffer.concat([hex('00000018667479706865696300000000'), noise(400)]), 'unsupported'),
  liar('AVIF', Buffer.concat([hex('0000001c667479706176696600000000'), noise(400)]), 'unsupported'),
  liar('JPEG XL', Buffer.concat([hex('0000000c4a584c200d0a870a'), noise(400)]), 'unsupported'),
  fakePhoto('JPEG 2000', Buffer.concat([hex('0000000c6a5020200d0a870a'), noise(400)]), 'unsupported'),
  liar('MNG', Buffer.concat([hex('8a4d4e470d0a1a0a'), noise(400)]), 'unsupported'),
  liar('Windows program', Buffer.concat([text('MZ'), noise(400)]), 'unsupported'),
  liar('noise', noise(4096), 'unsupported'),
  liar('empty file', Buffer.alloc(0), 'unsupported'),
  liar('one byte', hex('89'), 'unsupported'),
  fakePhoto('one byte of a JPEG', hex('ff'), 'unsupported'),
  liar('half of the PNG signature', hex('89504e47'), 'unsupported'),
  liar('PNG signature after a line break', hex('0a89504e470d0a1a0a0000000d49484452'), 'unsupported'),
  liar('PNG whose line ends were converted', hex('89504e470a1a0a0000000d49484452'), 'unsupported'),
  liar('GIF that is also a script', text('GIF89a/*....*/=1;alert(document.cookie)//'), 'unsupported'),
]

/** Files of other formats, under any declared type. */
export const foreignUploads = async (): Promise<ReadonlyArray<Upload>> => {
  const small = sharp({ create: { width: 400, height: 560, channels: 3, background: '#246' } })
  return [
    ...texts,
    ...binaries,
    liar('GIF', await small.clone().gif().toBuffer(), 'unsupported'),
    liar('WebP', await small.clone().webp().toBuffer(), 'unsupported'),
    liar('TIFF', await small.clone().tiff().toBuffer(), 'unsupported'),
  ]
}
