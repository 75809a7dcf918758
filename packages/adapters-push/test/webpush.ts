import { randomBytes } from 'node:crypto'
import type { Push, PushMessage, PushResult } from '@almoner/domain/notifications'
import { recognise } from '@almoner/domain/people'
import type { Clock } from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'
import {
  makeAuthority,
  makeVapidKeys,
  openWebPush as openService,
  type Subscription,
} from '@almoner/push-providers'
import * as contracts from '@almoner/testkit/contracts'
import type { Test } from 'tap'
import { openWebPush, type WebPushOptions } from '../src/webpush/open-web-push.ts'
import { PATIENT } from './time.ts'

export const authority = await makeAuthority()
export const certificate = await authority.leaf()
export const keys = makeVapidKeys()
export const vapid = { ...keys, subject: 'mailto:push@example.org' }

/** A clock that a test moves. */
export interface MovedClock extends Clock {
  /** Milliseconds. */
  move(by: number): void
}

/** Begins some hours ago, so that it can be moved without overtaking the machine's. */
export const movedClock = (from = Date.now() - 40 * 3_600_000): MovedClock => {
  let now = from
  return {
    now: () => instant(now),
    move: (by) => {
      now += by
    },
  }
}

/** A push to a browser, by way of the device token as it would be attached. */
export const pushTo = (subscription: Subscription, over: Partial<Push> = {}): Push => {
  const destination = recognise(JSON.stringify(subscription))
  if (destination === undefined) throw new TypeError('no destination')
  return contracts.samplePush(1, { destination, ...over })
}

/** A subscription of a browser, without its secrets. */
export const subscriptionAt = (endpoint: string): Subscription => {
  const p256dh = makeVapidKeys().publicKey
  return { endpoint, keys: { p256dh, auth: randomBytes(16).toString('base64url') } }
}

/** A message with these texts changed. */
export const messageWith = ({ data = {}, ...texts }: Over): PushMessage => {
  const { message } = contracts.samplePush(1)
  return { ...message, ...texts, data: { ...message.data, ...data } }
}
type Over = Partial<Omit<PushMessage, 'data'>> & { readonly data?: Partial<PushMessage['data']> }

/** A push service, a browser that subscribed to it, and a gateway that may send there. */
export const withWebPush = async (t: Test, over: Partial<WebPushOptions> = {}) => {
  const clock = over.clock ?? { now: () => instant(Date.now()) }
  const service = await openService({ certificate, now: clock.now })
  const { host } = new URL(service.origin)
  // Without threads, whose start takes longer than most tests; a separate suite tests threads.
  const given = { vapid, hosts: [host], clock, ca: authority.ca, threads: 0, limit: PATIENT }
  const gateway = openWebPush({ ...given, ...over })
  t.teardown(async () => {
    await gateway.close()
    await service.stop()
  })
  const subscription = service.subscribe(keys.publicKey)
  const send = (to: Subscription = subscription, push: Partial<Push> = {}): Promise<PushResult> =>
    gateway.send(pushTo(to, push))()
  return { service, gateway, subscription, send, clock, host }
}
