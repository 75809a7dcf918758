import type { Instant } from '@almoner/domain'
import type { PushMessage } from '@almoner/domain/notifications'
import { SECOND } from '@almoner/domain/values'
import { type FcmLife, fcmContent } from './message.ts'

/** Whom a message is for; `fid` is the Firebase installation id. */
export type FcmTarget = { readonly token: string } | { readonly fid: string } | { readonly topic: string }

/** What FCM keeps no longer than: "between 0 and 2,419,200 (4 weeks)" (https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode). */
const LONGEST = 2_419_200

/** Whole seconds that are left. */
const secondsLeft = (endsAt: Instant, now: Instant): number =>
  Math.min(LONGEST, Math.max(0, Math.floor((endsAt - now) / SECOND)))

/** The parts of a message that are the same for all devices within a second. */
interface Rendered extends FcmLife {
  readonly left: number
  readonly json: string
}

/**
 * Gives the JSON of requests, `{"message":{…}}`. All but the target is put into JSON once for all devices that get the same within a second:
 * doing so for each would take as long as sending it.
 */
export const makeRenderer = () => {
  const kept = new WeakMap<PushMessage, Rendered>()

  const render = (message: PushMessage, { notificationId, endsAt }: FcmLife, left: number): Rendered => {
    const found = kept.get(message)
    if (found?.left === left && found.notificationId === notificationId && found.endsAt === endsAt)
      return found
    const json = JSON.stringify(fcmContent(message, { notificationId, endsAt }, left))
    const rendered = { notificationId, endsAt, left, json }
    kept.set(message, rendered)
    return rendered
  }

  return (target: FcmTarget, message: PushMessage, life: FcmLife, now: Instant): string => {
    const { json } = render(message, life, secondsLeft(life.endsAt, now))
    // Both are objects that are not empty.
    return `{"message":${JSON.stringify(target).slice(0, -1)},${json.slice(1)}}`
  }
}
