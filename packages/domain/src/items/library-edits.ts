import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import type { ImageRef } from '../media/model.ts'
import type { WebUrl } from '../values/addresses.ts'
import {
  type FieldError,
  type FieldErrors,
  fieldError,
  type ValidationFailed,
  validationFailed,
} from '../values/parameters.ts'
import type { ItemDescription, ItemTitle, Language } from '../values/text.ts'
import { type Instant, type LocalDate, publicationDateFault } from '../values/time.ts'
import { type IllegalTransition, nextRevision, type Status, transition } from './item.ts'
import type { LibraryContent, LibraryImage, LibraryItem, MaybeImages } from './library-item.ts'
import { publishableImages } from './publication.ts'

/** An update of a library item. Undefined fields stay as in C6; an image that is `none` is removed. */
export interface LibraryEdit {
  readonly isDonorRestricted: boolean | undefined
  readonly lang: Language | undefined
  readonly title: ItemTitle
  readonly description: ItemDescription
  readonly link: WebUrl
  readonly publicationDate: LocalDate | undefined
  readonly images: { readonly [I in LibraryImage]: O.Option<ImageRef> | undefined }
  readonly status: Status
}

/** The item has an image that a Live item must not lose (C8). */
export interface ImageNeeded {
  readonly _tag: 'ImageNeeded'
}

/** There is no such image to remove (D3). */
export interface ImageNotFound {
  readonly _tag: 'ImageNotFound'
}

/** Returns the faults of a publication date that the item does not have already (B8). */
const dateFaults = (day: LocalDate, held: LocalDate): ReadonlyArray<FieldError> => {
  const fault = day === held ? undefined : publicationDateFault(day)
  return fault === undefined ? [] : [fieldError('itemPublicationDate', fault)]
}

/** The item in a state, if its images allow it (C6) and nothing else about it is wrong. */
const inState = (
  content: LibraryContent,
  images: MaybeImages,
  status: Status,
  faults: ReadonlyArray<FieldError>,
): E.Either<ValidationFailed, LibraryItem> => {
  const shown: E.Either<FieldErrors, LibraryItem> =
    status === 'Live'
      ? pipe(
          publishableImages(images),
          E.map((both) => ({ ...content, status, images: both })),
        )
      : E.right({ ...content, status, images })
  if (E.isLeft(shown)) return E.left(validationFailed(RNEA.concat(faults)(shown.left)))
  const [first, ...rest] = faults
  return first === undefined ? shown : E.left(validationFailed([first, ...rest]))
}

/** Carries out an update: the move (C5), then the conditions of the state entered (C6). */
export const editLibraryItem =
  (edit: LibraryEdit, now: Instant, today: LocalDate) =>
  (current: LibraryItem): E.Either<IllegalTransition | ValidationFailed, LibraryItem> => {
    const { status: _, images: held, ...content } = nextRevision(current, now)
    const edited: LibraryContent = {
      ...content,
      isDonorRestricted: edit.isDonorRestricted ?? content.isDonorRestricted,
      lang: edit.lang ?? content.lang,
      title: edit.title,
      description: edit.description,
      link: edit.link,
      publicationDate: edit.publicationDate ?? (edit.status === 'Draft' ? content.publicationDate : today),
    }
    const images: MaybeImages = {
      cover: edit.images.cover ?? held.cover,
      notification: edit.images.notification ?? held.notification,
    }
    return pipe(
      transition(current.status, edit.status),
      E.flatMap(
        (status): E.Either<IllegalTransition | ValidationFailed, LibraryItem> =>
          inState(edited, images, status, dateFaults(edited.publicationDate, content.publicationDate)),
      ),
    )
  }

/** The item showing another image, in any state (D3). Both branches say the same; each keeps the type of its state. */
export const setLibraryImage = (
  item: LibraryItem,
  which: LibraryImage,
  image: ImageRef,
  now: Instant,
): LibraryItem =>
  item.status === 'Live'
    ? { ...nextRevision(item, now), images: { ...item.images, [which]: O.some(image) } }
    : { ...nextRevision(item, now), images: { ...item.images, [which]: O.some(image) } }

/** The item without one of its images: never a Live one (C8), never one it does not have (D3). */
export const removeLibraryImage = (
  item: LibraryItem,
  which: LibraryImage,
  now: Instant,
): E.Either<ImageNeeded | ImageNotFound, LibraryItem> => {
  if (item.status === 'Live') return E.left({ _tag: 'ImageNeeded' })
  return O.isNone(item.images[which])
    ? E.left({ _tag: 'ImageNotFound' })
    : E.right({ ...nextRevision(item, now), images: { ...item.images, [which]: O.none } })
}
