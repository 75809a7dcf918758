import type { DescribedImage, Included } from '@almoner/domain/content'
import {
  addressOf,
  type ImageSize,
  type MediaAddresses,
  type MediaName,
  RENDITION_WIDTHS,
  renditionSize,
  renditionUrl,
} from '@almoner/domain/media'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { int, orEmpty, text, URL_TEXT } from './codecs.ts'

const sizeOrNull = t.union([t.Int, t.null])

/** An image of an item with its description and sizes, or null (D9). */
export const ImageJson = t.union([
  t.strict(
    {
      url: URL_TEXT,
      alt: text('Description for people who do not see it, or empty.', 'A woman fills a bucket at a well.'),
      width: sizeOrNull,
      height: sizeOrNull,
      renditions: t.array(t.strict({ url: URL_TEXT, width: t.Int, height: t.Int }, 'Rendition')),
    },
    'Image',
  ),
  t.null,
])

const encodeRenditions = (addresses: MediaAddresses, name: MediaName, size: ImageSize) =>
  RENDITION_WIDTHS.map((most) => {
    const { width, height } = renditionSize(size, most)
    return { url: renditionUrl(addresses, name, most), width: int(width), height: int(height) }
  })

const encodeImage =
  (addresses: MediaAddresses) =>
  ({ image, alt, size }: DescribedImage): t.TypeOf<typeof ImageJson> => ({
    url: addressOf(addresses)(image),
    alt: orEmpty(alt),
    width: O.toNullable(O.map(({ width }: ImageSize) => int(width))(size)),
    height: O.toNullable(O.map(({ height }: ImageSize) => int(height))(size)),
    renditions:
      image.kind === 'stored' && O.isSome(size) ? encodeRenditions(addresses, image.name, size.value) : [],
  })

/** Writes the images of an item, with the addresses and sizes of their renditions (D8, D9). */
export const encodeImages = (addresses: MediaAddresses, images: NonNullable<Included['images']>) =>
  Object.fromEntries(
    Object.entries(images).map(([name, image]) => [name, O.toNullable(O.map(encodeImage(addresses))(image))]),
  )
