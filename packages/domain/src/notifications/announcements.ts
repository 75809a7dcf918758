import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { checkPrecondition, type Precondition, type PreconditionFailed } from '../content/model.ts'
import {
  COUNTERPART_NOT_FOUND,
  type CounterpartNotFound,
  HAS_COUNTERPART,
  type HasCounterpart,
} from '../content/rules.ts'
import type { ItemId, LabelId, NotificationId } from '../values/ids.ts'
import { type FieldError, fieldError } from '../values/parameters.ts'
import type { Language } from '../values/text.ts'
import type { Instant } from '../values/time.ts'
import type { MessageText, Notification, NotificationStarted } from './model.ts'
import { NOTIFICATION_STARTED } from './model.ts'

/** A notification as a change finds it, and whether a review has taken it up (G4). */
export interface Standing {
  readonly notification: Notification
  readonly isStarted: boolean
}

/** What a change of a notification finds in its transaction (G13, G14). */
export interface Announcement {
  readonly own: Standing
  /** The notification that is tied to it. */
  readonly counterpart: O.Option<Standing>
  /** The notification that the change names as its counterpart; none if it names none, or an unknown one. */
  readonly named: O.Option<Standing>
}

/** What a change of a notification writes (G13, G14). */
export interface ChangedAnnouncement {
  readonly own: Notification
  readonly counterpartId: O.Option<NotificationId>
  /** The counterpart with its new date, if the change moves both. */
  readonly moved: O.Option<Notification>
}

/** New values of a notification; absent ones stay as they are (G13). */
export interface NotificationEdit {
  readonly lang?: Language | undefined
  readonly title?: MessageText | undefined
  readonly subtitle?: O.Option<MessageText> | undefined
  readonly description?: O.Option<MessageText> | undefined
  readonly date?: O.Option<Instant> | undefined
  readonly resourceId?: O.Option<ItemId> | undefined
  readonly labelId?: O.Option<LabelId> | undefined
}

/** A change of a notification: its values, its tie, and whether a new date is that of its counterpart too (G14). */
export interface AnnouncementEdit extends NotificationEdit {
  readonly counterpartId?: O.Option<NotificationId> | undefined
  readonly both: boolean
}

/** Returns the fault of a tie between two notifications: they have one language (G14). */
export const tieFaults = (
  own: Pick<Notification, 'lang'>,
  counterpart: Pick<Notification, 'lang'>,
): ReadonlyArray<FieldError> =>
  own.lang === counterpart.lang
    ? [fieldError('counterpartId', 'must be of a notification in the other language')]
    : []

/** Returns the next revision of a notification with new values, or the same one if they are those it has. */
const edited = (own: Notification, edit: NotificationEdit): Notification => {
  const after: Notification = {
    ...own,
    lang: edit.lang ?? own.lang,
    title: edit.title ?? own.title,
    subtitle: edit.subtitle ?? own.subtitle,
    description: edit.description ?? own.description,
    date: edit.date ?? own.date,
    resourceId: edit.resourceId ?? own.resourceId,
    labelId: edit.labelId ?? own.labelId,
  }
  const plain = (value: Notification[keyof Notification]): unknown =>
    typeof value === 'object' ? O.toUndefined<unknown>(value) : value
  const isSame = (Object.keys(after) as ReadonlyArray<keyof Notification>).every(
    (field) => plain(after[field]) === plain(own[field]),
  )
  return isSame ? own : { ...after, revision: own.revision + 1 }
}

/** Returns the counterpart that a notification has after a change, or why it cannot have it. */
const counterpartAfter = (
  { counterpart, named }: Announcement,
  { counterpartId }: AnnouncementEdit,
  after: Notification,
): E.Either<CounterpartNotFound | HasCounterpart, O.Option<Standing>> => {
  if (counterpartId !== undefined && O.isNone(counterpartId)) return E.right(O.none)
  if (counterpartId !== undefined) return O.isNone(named) ? E.left(COUNTERPART_NOT_FOUND) : E.right(named)
  const isAlike = O.isSome(counterpart) && counterpart.value.notification.lang === after.lang
  return isAlike ? E.left(HAS_COUNTERPART) : E.right(counterpart)
}

/** How the change of a notification can fail because of what it finds (G13, G14). */
export type AnnouncementFault =
  | NotificationStarted
  | PreconditionFailed
  | CounterpartNotFound
  | HasCounterpart

/**
 * Returns what a change makes of a notification, and of its counterpart if both move. A review that has taken up one that would change refuses it,
 * before the precondition does (G13, G14). {@link tieFaults} is left to the caller, for one response with all errors.
 */
export const changeAnnouncement =
  (edit: AnnouncementEdit, expected: Precondition) =>
  (
    found: Announcement,
  ): E.Either<AnnouncementFault, ChangedAnnouncement & Pick<Announcement, 'counterpart'>> => {
    if (found.own.isStarted) return E.left(NOTIFICATION_STARTED)
    const own = edited(found.own.notification, edit)
    return pipe(
      checkPrecondition(expected)(found.own.notification),
      E.flatMap((): E.Either<AnnouncementFault, O.Option<Standing>> => counterpartAfter(found, edit, own)),
      E.flatMap((counterpart): E.Either<AnnouncementFault, ReturnType<typeof outcome>> => {
        const other = O.toUndefined(counterpart)
        const moves = edit.both && edit.date !== undefined && other !== undefined
        return moves && other.isStarted
          ? E.left(NOTIFICATION_STARTED)
          : E.right(
              outcome(own, counterpart, moves ? edited(other.notification, { date: edit.date }) : undefined),
            )
      }),
    )
  }

const outcome = (
  own: Notification,
  counterpart: O.Option<Standing>,
  moved: Notification | undefined,
): ChangedAnnouncement & Pick<Announcement, 'counterpart'> => ({
  own,
  counterpart,
  counterpartId: O.map(({ notification }: Standing) => notification.id)(counterpart),
  moved: O.fromNullable(moved),
})
