import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { WebUrl } from '../values/addresses.ts'
import type { Colour } from '../values/text.ts'
import type { NotificationLinks } from './links.ts'
import { type Notification, RESOURCE_TYPES } from './notification.ts'

/** What a deployment gives every notification (G1). */
export interface Look {
  readonly iconUrl: O.Option<WebUrl>
  readonly color: Colour
}

/** The message to a device, independent of the provider (G6). All fields are text, and empty if absent. */
export interface PushMessage {
  readonly title: string
  readonly subtitle: string
  readonly body: string
  readonly data: {
    readonly notificationId: string
    readonly lang: string
    readonly resourceType: string
    readonly resourceId: string
    readonly actionUrl: string
    readonly visualUrl: string
    readonly iconUrl: string
    readonly color: string
  }
}

const orEmpty = (text: O.Option<string>): string =>
  pipe(
    text,
    O.getOrElse(() => ''),
  )

/** The message of a notification, with its links as they are when it is sent (G1, G6). */
export const messageOf = (
  { id, lang, title, subtitle, description, resourceId }: Notification,
  { visualUrl, actionUrl }: NotificationLinks,
  { iconUrl, color }: Look,
): PushMessage => ({
  title,
  subtitle: orEmpty(subtitle),
  body: orEmpty(description),
  data: {
    notificationId: id,
    lang,
    resourceType: RESOURCE_TYPES[0],
    resourceId: orEmpty(resourceId),
    actionUrl: orEmpty(actionUrl),
    visualUrl: orEmpty(visualUrl),
    iconUrl: orEmpty(iconUrl),
    color,
  },
})
