import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// The images of testing/corpus/images, and what must happen to each (D1, D7). `write-images.ts` writes the files.

/** What must happen to an image. */
export type Outcome =
  /** Is stored, encoded again, with this size; `hasCorners` says that it shows the four colours of the corpus upright. */
  | { readonly kind: 'taken'; readonly width: number; readonly height: number; readonly hasCorners: boolean }
  /** 400: the file ends before the image does. */
  | { readonly kind: 'cut' }
  /** 400: a part cannot be decoded. */
  | { readonly kind: 'damaged' }
  | { readonly kind: 'animated' }
  /** 400: more than 4096 pixels on a side. */
  | { readonly kind: 'size' }
  /** 415 for uploads; the answer names the format. An SVG may be a logo: `asLogo` is then the reason why it cannot, if it cannot. */
  | { readonly kind: 'format'; readonly format: string; readonly asLogo?: 'taken' | RegExp }

export interface CorpusImage {
  /** What the file is, and who writes such files. */
  readonly about: string
  /** The type and name under which programs send it. Neither counts. */
  readonly type: string
  readonly outcome: Outcome
}

const FOLDER = join(import.meta.dirname, '..', 'images')

/** Where the files of the corpus are. */
export const IMAGE_FOLDER = FOLDER

/** Returns the bytes of a file of the corpus. */
export const imageNamed = (name: string): Buffer => readFileSync(join(FOLDER, name))

const JPEG = 'image/jpeg'
const PNG = 'image/png'

const taken = (
  type: string,
  about: string,
  over: { hasCorners?: boolean; width?: number; height?: number } = {},
): CorpusImage => ({
  about,
  type,
  outcome: { kind: 'taken', width: 400, height: 560, hasCorners: true, ...over },
})

const refused = (
  type: string,
  kind: 'cut' | 'damaged' | 'animated' | 'size',
  about: string,
): CorpusImage => ({
  about,
  type,
  outcome: { kind },
})

const foreign = (type: string, format: string, about: string, asLogo?: 'taken' | RegExp): CorpusImage => ({
  about,
  type,
  outcome: { kind: 'format', format, ...(asLogo !== undefined && { asLogo }) },
})

/** The places at which files are cut: percent of their length, then without their end, then without their last byte. */
export const CUTS = [5, 15, 30, 45, 60, 75, 90, 97, 'end', 'byte'] as const

/** The files that are cut, and their types. */
export const WHOLE = {
  'jpeg-baseline.jpg': JPEG,
  'jpeg-progressive.jpg': JPEG,
  'png-rgb.png': PNG,
} as const

/** The name of a file that is cut at a place. */
export const cutName = (name: string, place: (typeof CUTS)[number]): string =>
  name.replace('.', `-cut-at-${place}.`)

const cuts = Object.entries(WHOLE).flatMap(([name, type]) =>
  CUTS.map((place) => [cutName(name, place), refused(type, 'cut', `${name}, cut at ${place}`)] as const),
)

const turned = [1, 2, 3, 4, 5, 6, 7, 8].map(
  (n) =>
    [
      `jpeg-exif-orientation-${n}.jpg`,
      taken(JPEG, `A photo of orientation ${n}, as phones store it`),
    ] as const,
)

const without = { hasCorners: false }

/** Every file of the corpus by its name. */
export const CORPUS_IMAGES: Readonly<Record<string, CorpusImage>> = {
  ...Object.fromEntries([...cuts, ...turned]),

  'jpeg-baseline.jpg': taken(JPEG, 'A JPEG of libjpeg'),
  'jpeg-progressive.jpg': taken(JPEG, 'A progressive JPEG'),
  'jpeg-444.jpg': taken(JPEG, 'Colours of full size'),
  'jpeg-grey.jpg': taken(JPEG, 'One component', without),
  'jpeg-restarts.jpg': taken(
    JPEG,
    'Restart markers in one tone, as cameras write them for fast decoding',
    without,
  ),
  'jpeg-cmyk.jpg': taken(JPEG, 'CMYK with the marker of Adobe, as printers get it', without),
  'jpeg-ycck.jpg': taken(JPEG, 'YCCK with the marker of Adobe', without),
  'jpeg-display-p3.jpg': taken(JPEG, 'The wide gamut of an iPhone, by its ICC profile'),
  'jpeg-icc-broken.jpg': taken(JPEG, 'A profile that is none'),
  'jpeg-icc-twice.jpg': taken(
    JPEG,
    'The same profile in two segments that both say that they are the only one',
  ),

  'jpeg-samsung-trailer.jpg': taken(
    JPEG,
    'Blocks and directory (SEFH, SEFT) after the end, by Samsung phones',
  ),
  'jpeg-samsung-motion.jpg': taken(JPEG, 'A film inside the trailer, by Samsung phones'),
  'jpeg-pixel-motion.jpg': taken(JPEG, 'A film after the end that XMP announces, by Pixel phones'),
  'jpeg-mpf-gain-map.jpg': taken(JPEG, 'A gain map as second picture, by phones with HDR'),
  'jpeg-mpf-three.jpg': taken(JPEG, 'Three pictures, then a trailer'),
  'jpeg-mpf-cut-second.jpg': taken(JPEG, 'The second picture is cut; the first one counts'),
  'jpeg-zeros-after.jpg': taken(JPEG, 'Filled with zeros to the size of a block, by memory cards'),
  'jpeg-unknown-markers.jpg': taken(JPEG, 'Application segments of unknown programs'),
  'jpeg-repeated-markers.jpg': taken(JPEG, 'JFIF, EXIF, tables and comments twice'),
  'jpeg-jfif-of-the-future.jpg': taken(JPEG, 'A version of JFIF that does not exist'),
  'jpeg-noise-between-segments.jpg': taken(
    JPEG,
    '18 stray bytes after a segment, by Pixel phones (lovell/sharp#2416)',
  ),
  'jpeg-filled-end.jpg': taken(JPEG, 'Stray bytes before the end marker, by webcams'),
  'jpeg-progressive-filled-end.jpg': taken(JPEG, 'The same in a progressive JPEG'),
  'jpeg-progressive-parameters.jpg': taken(
    JPEG,
    'A baseline scan with other parameters, by Samsung phones (lovell/sharp#1578)',
  ),
  'jpeg-adobe-unknown.jpg': taken(JPEG, 'A colour transform of Adobe that does not exist'),
  'jpeg-exif-broken.jpg': taken(JPEG, 'EXIF that is noise'),

  'jpeg-cut-then-closed.jpg': refused(JPEG, 'damaged', 'Cut in the middle, then closed with an end marker'),
  'jpeg-progressive-cut-then-closed.jpg': refused(JPEG, 'damaged', 'The same in a progressive JPEG'),
  'jpeg-restarts-then-zeros.jpg': refused(
    JPEG,
    'damaged',
    'Half of a picture with restart markers, then zeros up to the end marker',
  ),
  'jpeg-cut-then-another.jpg': refused(JPEG, 'damaged', 'Cut in the middle, then a whole JPEG'),
  'jpeg-no-tables.jpg': refused(JPEG, 'damaged', 'Without quantization'),
  'jpeg-lossless.jpg': refused(JPEG, 'damaged', 'A kind of JPEG that no browser shows'),
  'jpeg-5000-wide.jpg': refused(JPEG, 'size', 'A panorama'),
  'jpeg-40-megapixels.jpg': refused(JPEG, 'size', 'A promise of 8000 by 5001 pixels'),

  'png-rgb.png': taken(PNG, 'A PNG'),
  'png-interlaced.png': taken(PNG, 'Interlaced'),
  'png-palette.png': taken(PNG, 'A palette, by tools that make PNGs small'),
  'png-alpha.png': taken(PNG, 'With transparency'),
  'png-16-bit.png': taken(PNG, '16 bits a channel, by scanners'),
  'png-16-bit-alpha.png': taken(PNG, '16 bits a channel and transparency'),
  'png-grey-16-bit.png': taken(PNG, '16 bits of grey', without),
  'png-display-p3.png': taken(PNG, 'A screenshot of a Mac, in the wide gamut of its screen'),
  'png-exif-orientation-6.png': taken(PNG, 'An orientation before the pixels'),
  'png-bad-checksum-text.png': taken(PNG, 'A wrong checksum of a comment'),
  'png-bad-checksum-exif.png': taken(
    PNG,
    'A wrong checksum of the orientation, which therefore does not count',
  ),
  'png-bad-checksum-profile.png': taken(PNG, 'A wrong checksum of the profile'),
  'png-data-after.png': taken(PNG, 'A ZIP after the end'),
  'png-second-after.png': taken(PNG, 'Another PNG after the end'),
  'png-unknown-chunks.png': taken(PNG, 'Chunks that only their program knows, and repeated ones'),
  'png-wrong-adler.png': taken(PNG, 'A wrong checksum inside the compressed pixels, by hasty encoders'),
  'png-small-window.png': taken(
    PNG,
    'A smaller window of compression than the pixels need, by old optimizers',
  ),
  'png-one-frame.png': taken(PNG, 'An animation of one frame'),
  'png-animated.png': refused(PNG, 'animated', 'An animation of two frames'),
  'png-cut-then-closed.png': refused(PNG, 'damaged', 'Half of the pixels, then an end'),
  'png-bad-checksum-pixels.png': refused(PNG, 'damaged', 'A wrong checksum of the pixels'),
  'png-unknown-critical.png': refused(PNG, 'damaged', 'An unknown chunk that says that it matters'),
  'png-40-megapixels.png': refused(PNG, 'size', '8000 by 5001 pixels of one bit'),
  'png-5000-high.png': refused(PNG, 'size', 'A screenshot of a long page'),
  'png-small.png': taken(PNG, 'Too small for the feed', { width: 40, height: 30, hasCorners: false }),

  'heic-iphone.heic': foreign('image/heic', 'HEIC', 'The beginning of a photo of an iPhone'),
  'heic-named-jpg.jpg': foreign(JPEG, 'HEIC', 'The same, renamed by a person'),
  'heif-generic.heif': foreign('image/heif', 'HEIC', 'A generic main brand; the list of brands says HEIC'),
  'webp.webp': foreign('image/webp', 'WebP', 'A picture saved from a web page'),
  'webp-named-png.png': foreign(PNG, 'WebP', 'The same, renamed'),
  'avif.avif': foreign('image/avif', 'AVIF', 'A picture saved from a web page'),
  'avif-named-jpg.jpg': foreign(JPEG, 'AVIF', 'The same, renamed'),
  'gif.gif': foreign('image/gif', 'GIF', 'A still GIF'),
  'gif-named-png.png': foreign(PNG, 'GIF', 'The same, renamed'),
  'tiff.tif': foreign('image/tiff', 'TIFF', 'A scan'),
  'bmp.bmp': foreign('image/bmp', 'BMP', 'A picture of Paint'),
  'pdf.pdf': foreign('application/pdf', 'PDF', 'A leaflet'),
  'pdf-named-jpg.jpg': foreign(JPEG, 'PDF', 'The same, renamed'),
  'mov-live-photo.mov': foreign('video/quicktime', 'MOV', 'The film of a live photo'),
  'mp4.mp4': foreign('video/mp4', 'MP4', 'A film'),
  'svg.svg': foreign('image/svg+xml', 'SVG', 'A logo', 'taken'),
  'svg-named-png.png': foreign(PNG, 'SVG', 'The same, renamed', 'taken'),
  'svg-prologue.svg': foreign(
    'image/svg+xml',
    'SVG',
    'Byte order mark, declaration, comment, document type',
    'taken',
  ),
  'svg-entity.svg': foreign('image/svg+xml', 'SVG', 'The namespace as an entity, by Illustrator', 'taken'),
  'svg-no-xmlns.svg': foreign('image/svg+xml', 'SVG', 'Cut out of a page', /has no xmlns: write <svg xmlns=/),
  'svg-wrong-xmlns.svg': foreign('image/svg+xml', 'SVG', 'With https', /has xmlns="https:/),
  'svg-no-xlink.svg': foreign(
    'image/svg+xml',
    'SVG',
    'Uses xlink without its namespace',
    /line 2 uses the prefix xlink/,
  ),
  'svg-cut.svg': foreign('image/svg+xml', 'SVG', 'Cut in the middle', /line \d+ is no XML/),
}
