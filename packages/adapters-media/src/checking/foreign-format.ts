import type { ImageFault } from '@almoner/domain/media'
import { looksLikeSvg } from './svg.ts'

const EXPORT = 'export it as JPEG or PNG'
const PHOTO = 'export it as JPEG'
const STILL = 'export one picture of it as PNG'
const FILM = 'send a photo, as JPEG'

/** Formats by texts in Latin-1, and the offsets at which all of them stand. */
const SIGNATURES: ReadonlyArray<
  readonly [format: string, advice: string, parts: Readonly<Record<number, string>>]
> = [
  ['WebP', EXPORT, { 0: 'RIFF', 8: 'WEBP' }],
  ['GIF', STILL, { 0: 'GIF8', 5: 'a' }],
  ['TIFF', EXPORT, { 0: 'II*\0' }],
  ['TIFF', EXPORT, { 0: 'MM\0*' }],
  ['BMP', EXPORT, { 0: 'BM', 6: '\0\0\0\0' }],
  ['ICO', EXPORT, { 0: '\0\0\x01\0' }],
  ['Photoshop', EXPORT, { 0: '8BPS' }],
  ['JPEG XL', EXPORT, { 0: '\xff\x0a' }],
  ['JPEG XL', EXPORT, { 4: 'JXL \r\n\x87\n' }],
  ['JPEG 2000', EXPORT, { 0: '\xff\x4f\xff\x51' }],
  ['JPEG 2000', EXPORT, { 4: 'jP  \r\n\x87\n' }],
]

/** Formats by the brands of an ISO media file. Its first brand may be a generic one, so that all are looked at, in this order. */
const BRANDS: ReadonlyArray<readonly [format: string, advice: string, brand: RegExp]> = [
  ['AVIF', EXPORT, /^avi[fs]$/],
  ['HEIC', PHOTO, /^(?:hei[cxms]|hev[cxms])$/],
  ['HEIF', PHOTO, /^(?:mif1|msf1)$/],
  ['MOV', FILM, /^qt {2}$/],
  ['MP4', FILM, /^(?:mp4[12]|isom|iso\d|avc1|M4V |3gp.|3g2.)$/],
]

/** Bytes that formats are recognized by. A PDF may begin anywhere among them. */
const HEAD = 1024

type Format = readonly [format: string, advice: string]

/** Returns the brands of an ISO media file, the main one first; none for other files. */
const brandsOf = (head: string): ReadonlyArray<string> => {
  if (!head.startsWith('ftyp', 4)) return []
  const size = head.charCodeAt(2) * 256 + head.charCodeAt(3)
  return [head.slice(8, 12), ...(head.slice(16, size).match(/[\s\S]{4}/g) ?? [])]
}

const bySignature = (head: string): Format | undefined => {
  const found = SIGNATURES.find(([, , parts]) =>
    Object.entries(parts).every(([at, text]) => head.startsWith(text, Number(at))),
  )
  return found && [found[0], found[1]]
}

const byBrand = (head: string): Format | undefined => {
  const brands = brandsOf(head)
  const found = BRANDS.find(([, , known]) => brands.some((brand) => known.test(brand)))
  return found && [found[0], found[1]]
}

const formatOf = (bytes: Uint8Array): Format | undefined => {
  const head = Buffer.from(bytes.subarray(0, HEAD)).toString('latin1')
  const known = byBrand(head) ?? bySignature(head)
  if (known !== undefined) return known
  if (head.includes('%PDF-')) return ['PDF', 'export its page as JPEG or PNG']
  return looksLikeSvg(bytes) ? ['SVG', 'export it as PNG'] : undefined
}

/** Returns the fault of a file of another type. It names the type, and what to send instead (D7). */
export const unsupported = (
  accepted: 'a JPEG or PNG' | 'an SVG, PNG or JPEG',
  bytes: Uint8Array,
): ImageFault => {
  const [format, advice] = formatOf(bytes) ?? []
  const reason =
    format === undefined
      ? `must be ${accepted} by its content`
      : `must be ${accepted}; this is ${format}: ${advice}`
  return { _tag: 'UnsupportedImage', reason }
}
