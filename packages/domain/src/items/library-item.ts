import type * as O from 'fp-ts/lib/Option.js'
import type { ImageRef } from '../media/model.ts'
import type { WebUrl } from '../values/addresses.ts'
import type { LocalDate } from '../values/time.ts'
import type { ItemCore } from './item.ts'

/** The two images of a library item, as the interface's paths name them. */
export const LIBRARY_IMAGES = ['cover', 'notification'] as const
/** One of {@link LIBRARY_IMAGES}. */
export type LibraryImage = (typeof LIBRARY_IMAGES)[number]

/** The fields of a publication in every status, without its images. */
export interface LibraryContent extends ItemCore {
  readonly link: WebUrl
  readonly publicationDate: LocalDate
}

/** The images an unpublished item may hold. */
export type MaybeImages = Readonly<Record<LibraryImage, O.Option<ImageRef>>>

/** A Live item shows both (C6). */
export type BothImages = Readonly<Record<LibraryImage, O.Some<ImageRef>>>

/** A publication that only content managers see. Its images may be missing. */
export interface UnpublishedLibraryItem extends LibraryContent {
  readonly status: 'Draft' | 'Archived'
  readonly images: MaybeImages
}

/** A publication that is out: both images are there, by type (C6). */
export interface LiveLibraryItem extends LibraryContent {
  readonly status: 'Live'
  readonly images: BothImages
}

/** A publication of the library, in any state. */
export type LibraryItem = UnpublishedLibraryItem | LiveLibraryItem
