import type { CheckedImage } from '@almoner/domain/media'
import sharp from 'sharp'

/** The parts of an image that came out of a checker, by name, in order; ends with what follows its end, if anything. */
export const partsOf = ({ type, bytes }: CheckedImage): ReadonlyArray<string> =>
  type === 'image/png' ? chunksOf(Buffer.from(bytes)) : markersOf(Buffer.from(bytes))

const chunksOf = (png: Buffer): ReadonlyArray<string> => {
  const names = [png.toString('hex', 0, 8)]
  let at = 8
  while (names.at(-1) !== 'IEND' && at < png.length) {
    names.push(png.toString('latin1', at + 4, at + 8))
    at += 12 + png.readUInt32BE(at)
  }
  return at === png.length ? names : [...names, `${png.length - at} bytes more`]
}

const EOI = Buffer.from([0xff, 0xd9])

const markersOf = (jpeg: Buffer): ReadonlyArray<string> => {
  const names = [jpeg.toString('hex', 0, 2)]
  let at = 2
  while (names.at(-1) !== 'ffda' && at < jpeg.length) {
    names.push(jpeg.toString('hex', at, at + 2))
    at += 2 + jpeg.readUInt16BE(at + 2)
  }
  const end = jpeg.indexOf(EOI, at) + EOI.length
  return end === jpeg.length ? names : [...names, `${jpeg.length - end} bytes more`]
}

/** What a sound image without anything besides its picture is made of. */
export const PLAIN_PARTS: Readonly<Record<CheckedImage['type'], ReadonlySet<string>>> = {
  'image/png': new Set(['89504e470d0a1a0a', 'IHDR', 'IDAT', 'IEND', 'pHYs']),
  'image/jpeg': new Set(['ffd8', 'ffdb', 'ffc0', 'ffc4', 'ffda']),
}

export interface Pixels {
  readonly width: number
  readonly height: number
  readonly channels: number
  readonly data: Buffer
}

/** Decodes an image as it is, without turning it or minding a profile. */
export const decode = async (bytes: Uint8Array): Promise<Pixels> => {
  const { data, info } = await sharp(bytes, { ignoreIcc: true }).raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, channels: info.channels, data }
}

/** Red, green and blue near the corners: top left, top right, bottom left, bottom right. */
export const cornersOf = ({ width, height, channels, data }: Pixels): ReadonlyArray<ReadonlyArray<number>> =>
  [
    [20, 20],
    [width - 20, 20],
    [20, height - 20],
    [width - 20, height - 20],
  ].map(([x = 0, y = 0]) => [...data.subarray((y * width + x) * channels, (y * width + x) * channels + 3)])

/** The greatest distance between two sets of levels. */
export const furthest = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let distance = 0
  for (let i = 0; i < a.length; i++)
    distance = Math.max(distance, Math.abs((a[i] ?? 0) - (b[i] ?? Number.POSITIVE_INFINITY)))
  return distance
}
