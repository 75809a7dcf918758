import * as O from 'fp-ts/lib/Option.js'
import type { ItemId, NotificationId } from '../values/ids.ts'
import { oneOf } from '../values/refined.ts'
import type { Language } from '../values/text.ts'
import type { Instant } from '../values/time.ts'
import type { MessageText } from './message-text.ts'

/** What a notification may relate to. */
export const RESOURCE_TYPES = ['Library'] as const
export type ResourceType = (typeof RESOURCE_TYPES)[number]

/** `resource_type` (G2). */
export const ResourceType = oneOf<ResourceType>(
  'ResourceType',
  RESOURCE_TYPES,
  'Type of the resource that the notification relates to.',
)

/** A message for the readers of one language. It is never edited: only created, listed and deleted. */
export interface Notification {
  readonly id: NotificationId
  readonly lang: Language
  readonly title: MessageText
  readonly subtitle: O.Option<MessageText>
  readonly description: O.Option<MessageText>
  /** When it is to go out; without a date it never does. */
  readonly date: O.Option<Instant>
  /** The library item that it relates to. */
  readonly resourceId: O.Option<ItemId>
}

/** There is no such notification (G3, G7). */
export interface NotificationNotFound {
  readonly _tag: 'NotificationNotFound'
}

/** The one {@link NotificationNotFound}. */
export const NOTIFICATION_NOT_FOUND: NotificationNotFound = { _tag: 'NotificationNotFound' }

/** A review has started the notification, so it cannot be withdrawn (G3, G4). */
export interface NotificationStarted {
  readonly _tag: 'NotificationStarted'
}

/** The one {@link NotificationStarted}. */
export const NOTIFICATION_STARTED: NotificationStarted = { _tag: 'NotificationStarted' }

/** The related library item does not exist (G2). */
export interface ResourceNotFound {
  readonly _tag: 'ResourceNotFound'
}

/** The one {@link ResourceNotFound}. */
export const RESOURCE_NOT_FOUND: ResourceNotFound = { _tag: 'ResourceNotFound' }

/** Whether a notification is to go out at a moment: a time already past is due at once (G2). */
export const isDue = ({ date }: Pick<Notification, 'date'>, now: Instant): boolean =>
  O.isSome(date) && date.value <= now
