import {
  type Instant,
  type Look,
  type MessageText,
  messageOf,
  NO_LINKS,
  type NotificationId,
  type PushMessage,
  toDateTime,
} from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'

/** What a trial says when it is of no notification. It bears the time, so that one is told from the last. */
export const sampleMessage = (id: NotificationId, now: Instant, look: Look): PushMessage =>
  messageOf(
    {
      id,
      lang: 'en',
      title: 'A test from Almoner' as MessageText,
      subtitle: O.none,
      description: O.some(`Sent at ${toDateTime(now)} UTC. Nothing else is to be done.` as MessageText),
      date: O.none,
      resourceId: O.none,
    },
    NO_LINKS,
    look,
  )
