import type * as t from 'io-ts'
import type { WebUrl } from '../values/web-url.ts'

interface MediaNameBrand {
  readonly MediaName: unique symbol
}
/** The unguessable file name of a stored image, as `q3…9f.png` (D2). */
export type MediaName = t.Branded<string, MediaNameBrand>

const FORM = /^[A-Za-z0-9_-]{16,64}\.(?:jpg|png)$/

/** Whether a text has the form of a name that this service gives to stored images (D2). */
export const isMediaName = (text: string): text is MediaName => FORM.test(text)

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

/** What the store keeps of an image besides its bytes. */
export interface StoredImage {
  readonly name: MediaName
  readonly type: ImageType
  readonly bytes: number
}

/** An image that passed its rule, cleaned of metadata and turned upright (D1). */
export interface CheckedImage {
  readonly type: ImageType
  readonly bytes: Uint8Array
}
