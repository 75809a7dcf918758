import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Cursor, cursorCodec } from '../content/finding.ts'
import type { Language } from '../values/text.ts'
import type { Notification } from './notification.ts'

/** Which notifications are asked for: those of one language or of any. */
export interface NotificationQuery {
  readonly lang: O.Option<Language>
}

/** By date, latest first, undated last; of one date the latest made first (G3). The key is the date in milliseconds. */
export type NotificationCursor = Cursor<number>

/** The key of a notification without a date: below every date. */
export const UNDATED = -1

/** Where a notification stands (G3). */
export const notificationCursor = ({ id, date }: Pick<Notification, 'id' | 'date'>): NotificationCursor => ({
  key: O.getOrElse((): number => UNDATED)(date),
  id,
})

/** Whether a notification belongs to the answer of a query. */
export const matchesNotification =
  ({ lang }: NotificationQuery) =>
  (notification: Pick<Notification, 'lang'>): boolean =>
    O.isNone(lang) || lang.value === notification.lang

/**
 * Reads the place after which a page of notifications begins, from the text that `encodeCursor` made of it (C11).
 */
export const NotificationCursor = cursorCodec<number>('NotificationCursor', (text) =>
  /^(?:-1|\d{1,15})$/.test(text) ? E.right(Number(text)) : E.left(undefined),
)
