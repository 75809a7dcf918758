import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, hasScope } from '../access/caller.ts'
import type { FieldChange } from '../history/model.ts'
import type { ImageRef, MediaName } from '../media/model.ts'
import type { KnownImages } from '../media/ports.ts'
import type { ItemId } from '../values/ids.ts'
import {
  type Condition,
  type FieldError,
  fieldError,
  type ValidationFailed,
  validationFailed,
} from '../values/parameters.ts'
import { type Clock, type CommonPolicy, type Unavailable, unavailable } from '../values/ports.ts'
import type { Language } from '../values/text.ts'
import { dayOf, type Instant, type LocalDate } from '../values/time.ts'
import { ITEM_FIELDS } from './fields.ts'
import {
  type FeedItem,
  ITEM_NOT_FOUND,
  type ItemNotFound,
  type LibraryImage,
  type LibraryItem,
  type Status,
} from './model.ts'
import {
  type ItemSchedule,
  type NotPublishable,
  SCHEDULABLE,
  SCHEDULE_PARTS,
  type ScheduleConflict,
  type SchedulePart,
  type SentSchedule,
} from './schedules.ts'

/** What a caller may see of a content type: data, so that each store can translate it into its own terms. */
export type Visibility =
  | { readonly kind: 'everything' }
  | {
      readonly kind: 'published'
      /** Whether items restricted to donors are seen. */
      readonly restricted: boolean
      /** Under an embargo, the last publication date that is seen (C9). */
      readonly until: O.Option<LocalDate>
    }

/** What visibility looks at. Feed items have no publication date. */
export interface Visible {
  readonly status: Status
  readonly isDonorRestricted: boolean
  readonly publicationDate?: LocalDate
}

/** How far a caller sees (A3). `embargo` is today where Live items wait for their date (C9). */
export const visibilityOf = (caller: Caller, embargo: O.Option<LocalDate>): Visibility =>
  hasScope(caller, 'content-manager')
    ? { kind: 'everything' }
    : { kind: 'published', restricted: hasScope(caller, 'user-donor'), until: embargo }

/** The one rule of who sees what (A3, C9). Every store's translation is tested against it. */
export const isVisible =
  (visibility: Visibility) =>
  (item: Visible): boolean => {
    if (visibility.kind === 'everything') return true
    const { publicationDate: day } = item
    const due = O.isNone(visibility.until) || day === undefined || day <= visibility.until.value
    return item.status === 'Live' && (visibility.restricted || !item.isDonorRestricted) && due
  }

/** The day it is for the service (B8). */
export const todayFor = (policy: Pick<CommonPolicy, 'timeZone'>, clock: Clock): LocalDate =>
  dayOf(clock.now(), policy.timeZone)

/** What a deployment decides on who sees what (C9). */
export interface VisibilityPolicy extends CommonPolicy {
  /** Whether a Live library item waits for its publication date (C9). */
  readonly embargo: boolean
}

/** How far a caller sees today (A3, C9). */
export const visibilityFor = (policy: VisibilityPolicy, clock: Clock, caller: Caller): Visibility =>
  visibilityOf(caller, policy.embargo ? O.some(todayFor(policy, clock)) : O.none)

/** A publication as its counterpart shows it (J4), with the members that decide who sees it (A3, C9). */
export type Counterpart = Pick<
  LibraryItem,
  'id' | 'lang' | 'status' | 'updatedAt' | 'isDonorRestricted' | 'publicationDate'
>

/** Returns a publication as its counterpart shows it. */
export const counterpartOf = ({
  id,
  lang,
  status,
  updatedAt,
  isDonorRestricted,
  publicationDate,
}: LibraryItem): Counterpart => ({ id, lang, status, updatedAt, isDonorRestricted, publicationDate })

/** The ids of two publications that are one in both languages. A pair is symmetric (J7). */
export type TranslationPair = Readonly<Record<Language, ItemId>>

/** There is no such counterpart: the id names no item, or the item has no link (J7). */
export interface CounterpartNotFound {
  readonly _tag: 'CounterpartNotFound'
}

/** The one {@link CounterpartNotFound}. */
export const COUNTERPART_NOT_FOUND: CounterpartNotFound = { _tag: 'CounterpartNotFound' }

/** The item has a counterpart in the other language, so that its own language cannot change (J7). */
export interface HasCounterpart {
  readonly _tag: 'HasCounterpart'
}

/** The one {@link HasCounterpart}. */
export const HAS_COUNTERPART: HasCounterpart = { _tag: 'HasCounterpart' }

type Side = Pick<LibraryItem, 'id' | 'lang'>

/** A counterpart-to-be, and the pair that it makes. */
export interface Linkable<S> {
  readonly pair: TranslationPair
  readonly counterpart: S
}

/** Returns the pair of an item and its counterpart-to-be: both must be there, in two languages (J7). */
export const pairOf = <S extends Side>(
  item: S | undefined,
  counterpart: S | undefined,
): E.Either<ItemNotFound | CounterpartNotFound | ValidationFailed, Linkable<S>> => {
  if (item === undefined) return E.left(ITEM_NOT_FOUND)
  if (counterpart === undefined) return E.left(COUNTERPART_NOT_FOUND)
  if (item.lang === counterpart.lang)
    return E.left(validationFailed([fieldError('counterpartId', 'must be of an item in the other language')]))
  const [en, fr] = item.lang === 'en' ? [item, counterpart] : [counterpart, item]
  return E.right({ pair: { en: en.id, fr: fr.id }, counterpart })
}

/** Returns the change of a publication's link to its counterpart, for its audit record (J7, K1). */
export const translationChange = (before: ItemId | undefined, after: ItemId | undefined): FieldChange => ({
  field: 'translation',
  before: before ?? null,
  after: after ?? null,
})

const isInOrder = ({ publishAt, archiveAt }: ItemSchedule): boolean =>
  O.isNone(publishAt) || O.isNone(archiveAt) || publishAt.value < archiveAt.value

const isSet = (moment: O.Option<Instant> | undefined): boolean => moment !== undefined && O.isSome(moment)

/** Both moments in one request are in order (C15). */
export const SCHEDULE_CONDITION: Condition = {
  field: 'archiveAt',
  message: 'must be after publishAt',
  unmet: ({ publishAt = '', archiveAt = '' }) =>
    [publishAt, archiveAt].every((text) => text !== '' && ITEM_FIELDS.publishAt.codec.is(text)) &&
    Number(archiveAt) <= Number(publishAt),
}

const orderFault = ({ archiveAt }: SentSchedule): FieldError =>
  isSet(archiveAt)
    ? fieldError('archiveAt', 'must be after publishAt, which the item has')
    : fieldError('publishAt', 'must be before archiveAt, which the item has')

/** Returns the faults of the parts that a state has no use for. */
const conflictsOf = (status: Status, sent: SentSchedule): ReadonlyArray<FieldError> =>
  SCHEDULE_PARTS.filter((part) => isSet(sent[part]) && !SCHEDULABLE[status].includes(part)).map((part) =>
    fieldError(part, `must be empty for an item that is ${status}`),
  )

/**
 * Returns an item as it is after an update, with the schedule that its state may have (C15): parts without a use are cleared, and sent ones are
 * rejected.
 * @param item after the update, with the moments that were sent or stay
 * @param lacking what the item would lack to be Live
 */
export const withSchedule = <I extends LibraryItem | FeedItem>(
  item: I,
  sent: SentSchedule,
  lacking: () => ReadonlyArray<FieldError>,
): E.Either<NotPublishable | ScheduleConflict, I> => {
  const kept = (part: SchedulePart) => (SCHEDULABLE[item.status].includes(part) ? item[part] : O.none)
  const schedule: ItemSchedule = { publishAt: kept('publishAt'), archiveAt: kept('archiveAt') }
  const conflicts = [...conflictsOf(item.status, sent), ...(isInOrder(schedule) ? [] : [orderFault(sent)])]
  const faults = item.status === 'Draft' && isSet(sent.publishAt) ? lacking() : []
  const [first, ...rest] = [...faults, ...conflicts]
  if (first === undefined) return E.right({ ...item, ...schedule })
  return E.left({ _tag: faults.length > 0 ? 'NotPublishable' : 'ScheduleConflict', errors: [first, ...rest] })
}

const storedName = (image: O.Option<ImageRef> | undefined): MediaName | undefined =>
  image !== undefined && O.isSome(image) && image.value.kind === 'stored' ? image.value.name : undefined

/** Refuses every address that names an image of ours which is not there. */
export const rejectMissingImages = (
  knownImages: KnownImages,
  { cover, notification }: { readonly [I in LibraryImage]?: O.Option<ImageRef> | undefined },
  { name: gone }: { readonly name: MediaName },
): TE.TaskEither<ValidationFailed | Unavailable, never> => {
  const fields = { coverImgUrl: storedName(cover), notificationImgUrl: storedName(notification) }
  const named = Object.entries(fields).flatMap(([field, name]) =>
    name === undefined ? [] : [{ field, name }],
  )
  return pipe(
    knownImages.among(named.map(({ name }) => name)),
    TE.flatMap((known): TE.TaskEither<ValidationFailed | Unavailable, never> => {
      const missing = named.filter(({ name }) => name === gone || !known.has(name))
      const [first, ...rest] = missing.map(({ field }) =>
        fieldError(field, 'names no image that was uploaded here'),
      )
      // An image that the request does not name was the item's own and went a moment ago: trying again helps.
      return TE.left(
        first === undefined ? unavailable('an image went meanwhile') : validationFailed([first, ...rest]),
      )
    }),
  )
}

/**
 * Who could once see an item, under any embargo: for each audience the least number of milliseconds by which midnight UTC of its publication
 * day lay ahead when it stopped being shown; none if it was never Live for that audience. Feed items have no such day.
 */
export interface Leads {
  readonly user: O.Option<number>
  readonly donor: O.Option<number>
}

/** No caller below content managers ever saw it. */
export const NEVER_SHOWN: Leads = { user: O.none, donor: O.none }

/** Returns the leads of an item that is as given until a write at this moment. */
export const leadsOf = (item: Visible, at: Instant): Leads => {
  if (item.status !== 'Live') return NEVER_SHOWN
  const { publicationDate: day } = item
  const lead = O.some((day === undefined ? 0 : Date.parse(day)) - at)
  return { user: item.isDonorRestricted ? O.none : lead, donor: lead }
}
