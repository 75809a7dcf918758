import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { type ImageRef, imageAt, type MediaAddresses, type MediaName } from '../media/model.ts'
import type { WebUrl } from '../values/addresses.ts'
import { ItemId } from '../values/ids.ts'
import {
  type Condition,
  type FieldError,
  type FieldErrors,
  fieldError,
  parameters,
  type ValidationFailed,
  validationFailed,
} from '../values/parameters.ts'
import type { ImageAlt } from '../values/text.ts'
import { type Instant, type LocalDate, publicationDateFault } from '../values/time.ts'
import { editOf, FEED_FIELDS, LIBRARY_FIELDS, type OwnEdit, withValues, writeParameters } from './fields.ts'
import {
  CONTENT_CONDITIONS,
  type FeedContent,
  type FeedItem,
  type IllegalTransition,
  IMAGE_ALTS,
  type LibraryContent,
  type LibraryImage,
  type LibraryItem,
  type MaybeImages,
  nextRevision,
  publishableContent,
  publishableImages,
  type SentContent,
  type ShownContent,
  Status,
  sentContent,
  shownImage,
  transition,
} from './model.ts'
import { SCHEDULE_CONDITION, withSchedule } from './rules.ts'
import type { NotPublishable, ScheduleConflict } from './schedules.ts'

/** An update of a library item. Undefined fields stay as in C6; an image that is `none` is removed. */
export interface LibraryEdit extends OwnEdit<typeof LIBRARY_FIELDS> {
  readonly images: { readonly [I in LibraryImage]: O.Option<ImageRef> | undefined }
  readonly status: Status
  /** Whether it takes an act back, and so may enter any state (M12). */
  readonly isUndo?: boolean
}

/** Returns the state that an edit enters: of any other, if an act is taken back (M12), else as the table says (C5). */
const entered = (
  from: Status,
  { status, isUndo = false }: Pick<LibraryEdit, 'status' | 'isUndo'>,
): E.Either<IllegalTransition, Status> => (isUndo ? E.right(status) : transition(from, status))

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
const libraryInState = (
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

/** Why an edit is not carried out. */
export type EditRefused = IllegalTransition | ValidationFailed | NotPublishable | ScheduleConflict

const faultsIn = (checked: E.Either<FieldErrors, unknown>): ReadonlyArray<FieldError> =>
  E.isLeft(checked) ? checked.left : []

/**
 * Returns what an edit says of an image's description (D9): removing the image clears it, unless the edit gives another one. Undefined where it
 * stays.
 */
const editedAlt = (
  sent: O.Option<ImageAlt> | undefined,
  before: O.Option<unknown>,
  after: O.Option<unknown>,
): O.Option<ImageAlt> | undefined => sent ?? (O.isSome(before) && O.isNone(after) ? O.none : undefined)

/** Carries out an update: the move (C5), then the conditions of the state entered (C6) and of the schedule (C15). */
export const editLibraryItem =
  (edit: LibraryEdit, now: Instant, today: LocalDate) =>
  (current: LibraryItem): E.Either<EditRefused, LibraryItem> => {
    const { status: _, images: held, ...content } = nextRevision(current, now)
    const publicationDate =
      edit.publicationDate ?? (edit.status === 'Draft' ? content.publicationDate : today)
    const images: MaybeImages = {
      cover: edit.images.cover ?? held.cover,
      notification: edit.images.notification ?? held.notification,
    }
    const edited: LibraryContent = withValues(LIBRARY_FIELDS, content, {
      ...edit,
      publicationDate,
      coverAlt: editedAlt(edit.coverAlt, held.cover, images.cover),
      notificationAlt: editedAlt(edit.notificationAlt, held.notification, images.notification),
    })
    return pipe(
      entered(current.status, edit),
      E.flatMap(
        (status): E.Either<EditRefused, LibraryItem> =>
          libraryInState(edited, images, status, dateFaults(edited.publicationDate, content.publicationDate)),
      ),
      E.flatMap((item) => withSchedule(item, edit, () => faultsIn(publishableImages(images)))),
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

/** The item without one of its images and its description (D9): never a Live one (C8), never one it does not have (D3). */
export const removeLibraryImage = (
  item: LibraryItem,
  which: LibraryImage,
  now: Instant,
): E.Either<ImageNeeded | ImageNotFound, LibraryItem> => {
  if (item.status === 'Live') return E.left({ _tag: 'ImageNeeded' })
  return O.isNone(item.images[which])
    ? E.left({ _tag: 'ImageNotFound' })
    : E.right({
        ...nextRevision(item, now),
        [IMAGE_ALTS[which]]: O.none,
        images: { ...item.images, [which]: O.none },
      })
}

/** An update of a feed item; undefined fields stay. */
export interface FeedEdit extends OwnEdit<typeof FEED_FIELDS> {
  readonly content: SentContent
  readonly status: Status
  /** As in {@link LibraryEdit}. */
  readonly isUndo?: boolean
}

/**
 * The content after an edit: a link that was not sent stays while the type does. Under another type it would mean something
 * else (a page is no photo), so it goes.
 */
export const editedContent = (held: FeedContent, sent: SentContent): FeedContent => {
  const { image } = held
  const keeps = held.kind === sent.kind
  const kept = (mine: O.Option<WebUrl>, theirs: O.Option<WebUrl>) =>
    O.isSome(mine) || !keeps ? mine : theirs
  const link = kept(sent.link, held.link)
  const vlink = kept(sent.vlink, held.vlink)
  switch (sent.kind) {
    case 'photo':
      return { kind: 'photo', link, vlink, image }
    case 'link':
      return { kind: 'link', link: sent.link, vlink, image }
    case 'vlink':
      return { kind: 'vlink', link, vlink: sent.vlink, image }
  }
}

/** The post in a state, if its content allows it (C7). A post that is Live needs no reason (L3). */
const feedInState = (
  core: Omit<FeedItem, 'status' | 'content'>,
  content: FeedContent,
  status: Status,
): E.Either<ValidationFailed, FeedItem> =>
  status === 'Live'
    ? pipe(
        publishableContent(content),
        E.bimap(validationFailed, (shown): FeedItem => ({ ...core, status, content: shown, reason: O.none })),
      )
    : E.right({ ...core, status, content })

/** How a post changes, or why it does not. */
export type FeedChange = (current: FeedItem) => E.Either<EditRefused, FeedItem>

/** Carries out the move of an edit (C5), then checks the conditions of the state entered (C7) and of the schedule (C15). */
const carryOut =
  (
    edit: Omit<FeedEdit, 'content'>,
    contentFrom: (held: FeedContent) => FeedContent,
    now: Instant,
  ): FeedChange =>
  (current) => {
    const { status: _, content: held, ...core } = nextRevision(current, now)
    const content = contentFrom(held)
    const imageAlt = editedAlt(edit.imageAlt, shownImage(held), shownImage(content))
    const next = withValues(FEED_FIELDS, core, { ...edit, imageAlt })
    return pipe(
      entered(current.status, edit),
      E.flatMap((status): E.Either<EditRefused, FeedItem> => feedInState(next, content, status)),
      E.flatMap((item) => withSchedule(item, edit, () => faultsIn(publishableContent(item.content)))),
    )
  }

/** Carries out an update: the move (C5), then the conditions of the state entered (C7). */
export const editFeedItem = (edit: FeedEdit, now: Instant): FeedChange =>
  carryOut(edit, (held) => editedContent(held, edit.content), now)

/** Carries out an update that replaces the whole content, the uploaded image too (K2). */
export const restoreFeedItem = (edit: FeedEdit, image: O.Option<MediaName>, now: Instant): FeedChange =>
  carryOut(edit, () => ({ ...edit.content, image }), now)

const showing = (content: ShownContent, name: MediaName): ShownContent => {
  const image: O.Some<MediaName> = { _tag: 'Some', value: name }
  return content.kind === 'photo' ? { ...content, image } : { ...content, image }
}

/** The item with an uploaded image, in any state (D3). An image never makes a Live post's content less than shown. */
export const setFeedImage = (item: FeedItem, name: MediaName, now: Instant): FeedItem =>
  item.status === 'Live'
    ? { ...nextRevision(item, now), content: showing(item.content, name) }
    : { ...nextRevision(item, now), content: { ...item.content, image: O.some(name) } }

/** The item without its image and its description (D9), unless it must stay to be Live (C8) or is not there (D3). */
export const removeFeedImage = (
  item: FeedItem,
  now: Instant,
): E.Either<ImageNeeded | ImageNotFound, FeedItem> => {
  if (O.isNone(item.content.image)) return E.left({ _tag: 'ImageNotFound' })
  const { status, content, ...core } = nextRevision(item, now)
  return pipe(
    feedInState({ ...core, imageAlt: O.none }, { ...content, image: O.none }, status),
    E.mapLeft((): ImageNeeded => ({ _tag: 'ImageNeeded' })),
  )
}

/** A reason says why a post is not taken (L3). */
const noReasonWhenLive: Condition = {
  field: 'reason',
  message: 'must be empty when status is Live',
  unmet: ({ status, reason = '' }) => status === 'Live' && reason !== '',
}

const UPDATED_FIELDS_OF_FEED = writeParameters(FEED_FIELDS, 'update')

/** Parameters of POST /feed/<itemId>. */
export const UpdateFeedItem = parameters({
  name: 'UpdateFeedItem',
  required: { itemId: ItemId, ...UPDATED_FIELDS_OF_FEED.required, status: Status },
  optional: UPDATED_FIELDS_OF_FEED.optional,
  conditions: [...CONTENT_CONDITIONS, SCHEDULE_CONDITION, noReasonWhenLive],
})
export type UpdateFeedItem = typeof UpdateFeedItem._A

/** Returns the edit that the parameters of an update describe. */
export const feedEditOf = (command: UpdateFeedItem): FeedEdit => ({
  ...editOf(FEED_FIELDS, command),
  content: sentContent(command),
  status: command.status,
})

const notEmptyWhenLive = (field: 'coverImgUrl' | 'notificationImgUrl'): Condition => ({
  field,
  message: 'must not be empty when status is Live',
  unmet: ({ status, [field]: url }) => status === 'Live' && url === '',
})

const UPDATED_FIELDS_OF_LIBRARY = writeParameters(LIBRARY_FIELDS, 'update')

/** Parameters of POST /library/<itemId>. */
export const UpdateLibraryItem = parameters({
  name: 'UpdateLibraryItem',
  required: { itemId: ItemId, ...UPDATED_FIELDS_OF_LIBRARY.required, status: Status },
  optional: UPDATED_FIELDS_OF_LIBRARY.optional,
  conditions: [notEmptyWhenLive('coverImgUrl'), notEmptyWhenLive('notificationImgUrl'), SCHEDULE_CONDITION],
})
export type UpdateLibraryItem = typeof UpdateLibraryItem._A

/** Returns the edit that the parameters of an update describe. Images of ours are named, not linked (D3). */
export const libraryEditOf = (addresses: MediaAddresses, command: UpdateLibraryItem): LibraryEdit => {
  const image = (url: O.Option<WebUrl> | undefined) =>
    url === undefined ? undefined : O.map(imageAt(addresses))(url)
  return {
    ...editOf(LIBRARY_FIELDS, command),
    images: { cover: image(command.coverImgUrl), notification: image(command.notificationImgUrl) },
    status: command.status,
  }
}
