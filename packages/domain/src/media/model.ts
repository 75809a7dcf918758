import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { parseUrl, WebUrl } from '../values/addresses.ts'
import { fieldError, type ValidationFailed, validationFailed } from '../values/parameters.ts'
import { type Branded, clearable, isStorable, nfcOf, refined } from '../values/refined.ts'

/** The unguessable file name of a stored image, as `q3…9f.png` (D2). */
export type MediaName = Branded<string, 'MediaName'>

const MEDIA_NAME = /^[A-Za-z0-9_-]{16,64}\.(?:jpg|png)$/

/** Whether a text has the form of a name that this service gives to stored images (D2). */
export const isMediaName = (text: string): text is MediaName => MEDIA_NAME.test(text)

/** The kinds of images that may be uploaded (D1). */
export const IMAGE_TYPES = ['image/jpeg', 'image/png'] as const
/** One of {@link IMAGE_TYPES}. */
export type ImageType = (typeof IMAGE_TYPES)[number]

/** The ending of a stored image's name. */
export const EXTENSIONS: Readonly<Record<ImageType, string>> = { 'image/jpeg': 'jpg', 'image/png': 'png' }

/** An image that an item shows: one stored here, or one that lives elsewhere. */
export type ImageRef =
  | { readonly kind: 'stored'; readonly name: MediaName }
  | { readonly kind: 'linked'; readonly url: WebUrl }

/** An image that is stored here, by its name. */
export const stored = (name: MediaName): ImageRef => ({ kind: 'stored', name })

/** An image that lives elsewhere, by its address. */
export const linked = (url: WebUrl): ImageRef => ({ kind: 'linked', url })

/** The size of an image in pixels, as it is shown. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** What the store keeps of an image besides its bytes. */
export interface StoredImage {
  readonly name: MediaName
  readonly type: ImageType
  readonly bytes: number
  /** Absent where it is not known: of images from before sizes were stored, and of broken ones. */
  readonly size?: ImageSize
}

/** An image that passed its rule, cleaned of metadata and turned upright (D1). */
export interface CheckedImage {
  readonly type: ImageType
  readonly bytes: Uint8Array
}

/** An image that was checked, and its size (D9). */
export interface MeasuredImage extends CheckedImage {
  readonly size: ImageSize
}

/** The widths of renditions in pixels, in ascending order (D8). */
export const RENDITION_WIDTHS = [160, 320, 640, 1280] as const
/** One of {@link RENDITION_WIDTHS}. */
export type RenditionWidth = (typeof RENDITION_WIDTHS)[number]

/** The width of a rendition and its file name, which is its original's with another ending: `320/q3…9f.webp` (D8). */
export type RenditionName = Branded<string, 'RenditionName'>

const RENDITION_NAME = new RegExp(`^(${RENDITION_WIDTHS.join('|')})/([A-Za-z0-9_-]{16,64})\\.webp$`)

/** Whether a text has the form of a name of a rendition (D8). */
export const isRenditionName = (text: string): text is RenditionName => RENDITION_NAME.test(text)

/** Returns the part of a name that an image and its renditions share. */
export const stemOf = (name: MediaName | RenditionName): string => {
  const file = name.slice(name.lastIndexOf('/') + 1)
  return file.slice(0, file.lastIndexOf('.'))
}

/** Returns the name of a rendition of an image (D8). */
export const renditionName = (name: MediaName, width: RenditionWidth): RenditionName =>
  `${width}/${stemOf(name)}.webp` as RenditionName

/** Returns the names of all renditions of an image (D8). */
export const renditionsOf = (name: MediaName): ReadonlyArray<RenditionName> =>
  RENDITION_WIDTHS.map((width) => renditionName(name, width))

/** Returns the names that an image with this stem may have. */
export const namesOfStem = (stem: string): ReadonlyArray<MediaName> =>
  Object.values(EXTENSIONS).map((extension) => `${stem}.${extension}` as MediaName)

/** Returns the names that the original of a rendition may have. */
export const originalsOf = (name: RenditionName): ReadonlyArray<MediaName> => namesOfStem(stemOf(name))

/** Returns the width that a rendition is made for, at most. */
export const widthOf = (name: RenditionName): RenditionWidth => Number.parseInt(name, 10) as RenditionWidth

/** Returns the size of a rendition: never wider than its original, and as high as the proportions say, at least one pixel (D8). */
export const renditionSize = ({ width, height }: ImageSize, most: RenditionWidth): ImageSize =>
  width <= most
    ? { width, height }
    : { width: most, height: Math.max(1, Math.round((height * most) / width)) }

/** The addresses that stored images have for the world (D2, D3). Pure: it follows from the service's base URL. */
export interface MediaAddresses {
  /** The address of a stored image, whether or not it is there. */
  urlOf(name: MediaName): WebUrl
  /**
   * The image that an address of this service names, whether or not it is there; none for any other address. The portfolio's images
   * have addresses of this service and are never there: they go when it is replaced, and what an item shows must not (D5).
   */
  nameOf(url: WebUrl): O.Option<MediaName>
}

/** The path under the base URL where stored images are served (D2). */
export const MEDIA_PATH = '/static/media/'

/** The folder of renditions below that of images, and in paths below {@link MEDIA_PATH} (D8). */
export const RENDITION_FOLDER = 'r/'

/** The path under the base URL where the portfolio's images are served (H1). */
export const PORTFOLIO_IMAGE_PATH = '/static/portfolio/'

/** The path of an address with its percent-encoding undone; as it is where that cannot be done. */
const plainPath = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * The addresses of stored images below a base URL. An address is known by where it leads, however it is spelt: default port,
 * case of the host, dots, percent-encoding, query and fragment make no other image of it.
 * @param baseUrl without a slash at its end
 */
export const mediaAddressesBelow = (baseUrl: string): MediaAddresses => {
  const prefix = `${baseUrl}${MEDIA_PATH}`
  const { origin: home, pathname: uploads } = parseUrl(prefix)
  const portfolio = parseUrl(`${baseUrl}${PORTFOLIO_IMAGE_PATH}`).pathname
  return {
    urlOf: (name) => `${prefix}${name}` as WebUrl,
    nameOf: (url) => {
      const { origin, pathname } = parseUrl(url)
      if (origin !== home) return O.none
      const path = plainPath(pathname)
      const name = path.startsWith(uploads) ? path.slice(uploads.length) : ''
      if (name !== '') return O.some(name as MediaName)
      return path.startsWith(portfolio) ? O.some(path as MediaName) : O.none
    },
  }
}

/** Returns the address of a rendition of a stored image, whether or not it has been made (D8). */
export const renditionUrl = (
  addresses: Pick<MediaAddresses, 'urlOf'>,
  name: MediaName,
  width: RenditionWidth,
): WebUrl => addresses.urlOf(`${RENDITION_FOLDER}${renditionName(name, width)}` as MediaName)

/** Where an image is found, following the base URL of the day (D3). */
export const addressOf =
  (addresses: MediaAddresses) =>
  (image: ImageRef): WebUrl =>
    image.kind === 'stored' ? addresses.urlOf(image.name) : image.url

/** The image at an address: one of ours is held by its name, so that it follows the base URL and is kept (D3, D5). */
export const imageAt =
  (addresses: MediaAddresses) =>
  (url: WebUrl): ImageRef => {
    const name = addresses.nameOf(url)
    return O.isSome(name) ? stored(name.value) : linked(url)
  }

/** The stored images among these. */
export const storedAmong = (images: ReadonlyArray<O.Option<ImageRef>>): ReadonlyArray<MediaName> =>
  images.flatMap((image) => (O.isSome(image) && image.value.kind === 'stored' ? [image.value.name] : []))

/** The stored images that links lead to (D5). */
export const mentionedBy = (
  addresses: MediaAddresses,
  links: ReadonlyArray<O.Option<WebUrl>>,
): ReadonlyArray<MediaName> => storedAmong(links.map(O.map(imageAt(addresses))))

/** `coverImgUrl` and `notificationImgUrl`: an address, or empty to clear the image (C6). */
export const ClearableImageUrl = clearable('ClearableImageUrl', WebUrl, {
  type: 'string',
  description: 'URL of the image. If omitted, the current image stays; if empty, it is removed.',
  maxLength: 2048,
})

/** The name of the file part of an upload (D1). */
export const UPLOAD_FIELD = 'itemUploadMedia'

/** The failure of an upload without an image. */
export const NO_IMAGE: ValidationFailed = validationFailed([fieldError(UPLOAD_FIELD, 'is required')])

/** What an uploaded image must be (D1). Sizes are pixels, measured after the orientation is applied. */
export type ImageRule =
  | { readonly kind: 'exactly'; readonly width: number; readonly height: number }
  | { readonly kind: 'within'; readonly side: number }

/** Bytes that an upload may have. */
export const UPLOAD_LIMIT = 10 * 1024 * 1024

/** `itemUploadMedia` of the feed: 560 high by 400 wide. */
export const FEED_IMAGE: ImageRule = { kind: 'exactly', width: 400, height: 560 }

/** Cover and notification images of the library. */
export const LIBRARY_IMAGE: ImageRule = { kind: 'within', side: 4096 }

/** Why an upload is not taken. Nothing has changed. */
export type ImageFault =
  /** More than {@link UPLOAD_LIMIT} bytes. */
  | { readonly _tag: 'ImageTooLarge' }
  /** By its content neither JPEG nor PNG. `reason` completes "The image …", and says what to send instead. */
  | { readonly _tag: 'UnsupportedImage'; readonly reason: string }
  /** Begins as an image and does not decode whole. `reason` completes "does not decode whole: …". */
  | { readonly _tag: 'BrokenImage'; readonly reason?: string }
  /** Shows several pictures one after the other. */
  | { readonly _tag: 'AnimatedImage' }
  /** Its header has a wrong size. */
  | {
      readonly _tag: 'WrongImageSize'
      readonly rule: ImageRule
      readonly width: number
      readonly height: number
    }

/** Returns why an image is refused for what it holds (D7). The text completes "The image …" or "<field> …". */
export const contentFaultText = (
  fault: Extract<ImageFault, { readonly _tag: 'UnsupportedImage' | 'BrokenImage' | 'AnimatedImage' }>,
): string => {
  switch (fault._tag) {
    case 'UnsupportedImage':
      return fault.reason
    case 'AnimatedImage':
      return 'must not be animated'
    case 'BrokenImage':
      return `does not decode whole${fault.reason === undefined ? '' : `: ${fault.reason}`}`
  }
}

/** Whether a size keeps a rule. */
export const fits = (rule: ImageRule, width: number, height: number): boolean =>
  rule.kind === 'exactly'
    ? width === rule.width && height === rule.height
    : Math.max(width, height) <= rule.side

/** The name of an image's file in `logo/` or `visual/`; it leads to no other folder. */
export type FileName = Branded<string, 'FileName'>

const FILE_NAME = /^[^./\\\p{Cc}][^/\\\p{Cc}]{0,199}$/u

/** Reads the name of an image's file from a row (H1): NFC, 1 to 200 characters, no slashes, not hidden. */
export const FileName = refined<FileName>(
  'FileName',
  (given) => {
    const text = nfcOf(given)
    return isStorable(text) && FILE_NAME.test(text)
      ? E.right(text as FileName)
      : E.left('must be the name of a file, without a folder')
  },
  { type: 'string', description: 'Name of a file.' },
)

/** The random identity that a database and its image storage share (D6). */
export type StorageId = string & { readonly StorageId: unique symbol }

/** Stored images of one kind, and how many of them a sweep would delete. */
export interface ImageCount {
  readonly files: number
  readonly orphans: number
}

/** What a sweep has counted before it deletes anything. */
export interface SweepCounts {
  /** Images of library and feed. */
  readonly uploads: ImageCount
  readonly portfolio: ImageCount
  /** Whether the database references any image at all. True without a look where nothing would be deleted. */
  readonly referencesAny: boolean
}

/** Why a sweep does not run: the storage belongs to another database, the database references no image, or too many images would go. */
export type SweepRefusal = 'other-storage' | 'no-references' | 'too-many-orphans'

/** With fewer files than this, a large share says little. */
const LEAST_FILES = 50

const isTooMany = ({ files, orphans }: ImageCount): boolean => files >= LEAST_FILES && orphans * 5 > files

/**
 * Returns why a sweep with these counts must stop (D6): it would delete more than a fifth of at least 50 images of a kind, or anything
 * on behalf of a database that references no image.
 */
export const sweepRefusal = ({ uploads, portfolio, referencesAny }: SweepCounts): O.Option<SweepRefusal> => {
  if (!referencesAny && uploads.orphans + portfolio.orphans > 0) return O.some('no-references')
  return isTooMany(uploads) || isTooMany(portfolio) ? O.some('too-many-orphans') : O.none
}
