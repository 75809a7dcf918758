import type { PushMessage } from '@almoner/domain/notifications'
import { dataOf } from '../data.ts'

/** "The number 8030" marks a declarative push message (https://w3c.github.io/push-api/#declarative-push-message). */
const WEB_PUSH = 8030

const unlessEmpty = (name: string, text: string): Readonly<Record<string, string>> =>
  text === '' ? {} : { [name]: text }

const lines = (...texts: ReadonlyArray<string>): string => texts.filter((text) => text !== '').join('\n')

/**
 * Returns the payload for a browser (G6): the JSON of a declarative push message of the W3C (https://w3c.github.io/push-api/#declarative-push-message,
 * https://webkit.org/blog/16535/meet-declarative-web-push/). A browser that knows the form shows it by itself; in others, and where there
 * is no `navigate`, a service worker gets it as it is and calls `showNotification(notification.title, notification)`.
 *
 * Notifications of the web have no subtitle: it is the first line of the body. An address that is absent is left out, as an empty one
 * would mean the page itself. By `tag` a second push replaces the first (G5).
 */
export const payloadOf = ({ title, subtitle, body, data }: PushMessage) => ({
  web_push: WEB_PUSH,
  notification: {
    title,
    lang: data.lang,
    ...unlessEmpty('body', lines(subtitle, body)),
    ...unlessEmpty('navigate', data.actionUrl),
    ...unlessEmpty('image', data.visualUrl),
    ...unlessEmpty('icon', data.iconUrl),
    tag: data.notificationId,
    data: dataOf({ data }),
  },
})
