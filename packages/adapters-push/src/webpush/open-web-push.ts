import {
  ANSWER_WITHIN,
  type Clock,
  DEAD,
  DELIVERED,
  ourFault,
  type Push,
  type PushGateway,
  type PushHost,
  type PushResult,
  REFUSED,
  retry,
  SECOND,
  type Subscription,
} from '@almoner/domain'
import type { Task } from 'fp-ts/lib/Task.js'
import { retryAfter } from '../retry-after.ts'
import { makeDestinations, type Resolve, resolveBySystem } from './destinations.ts'
import { bytesOf, encryptFor, MOST_BYTES } from './encryption.ts'
import { headersOf } from './headers.ts'
import { meaningOf, wordOf } from './outcomes.ts'
import { makeVapid, type Signed } from './vapid.ts'
import { type VapidKeys, vapidFault } from './vapid-keys.ts'
import { type Answer, openWire } from './wire.ts'

/** What a {@link WebPushGateway} is opened with. */
export interface WebPushOptions {
  readonly vapid: VapidKeys
  /** The allow-list (F5). */
  readonly hosts: ReadonlyArray<PushHost>
  readonly clock: Clock
  /** An authority to trust beside the usual ones, PEM. */
  readonly ca?: string
  /** How long a push is given, in milliseconds: a little less than {@link ANSWER_WITHIN} when left out. */
  readonly limit?: number
  /** The system's resolver when left out. */
  readonly resolve?: Resolve
}

/** Carries pushes to browsers. */
export interface WebPushGateway extends PushGateway {
  /** Delivered when the credentials are in order. Nobody is asked, as no push service knows keys beforehand. Never rejects. */
  readonly check: Task<PushResult>
  /** Waits for the answers to what has been sent, then ends every connection. What is sent later is answered with Retry. */
  close(): Promise<void>
}

const LIMIT = ANSWER_WITHIN - 0.5 * SECOND

/**
 * Web Push (RFC 8030, 8291, 8292), to hosts on the allow-list alone (F5).
 *
 * Refused, without anybody being asked: a subscription that the list does not allow, a message that is too long by now, and keys of a
 * subscription that nothing can be encrypted with. The last is not dead: a fault of ours in encrypting must not detach devices.
 */
export const openWebPush = (options: WebPushOptions): WebPushGateway => {
  const { clock, limit = LIMIT, ca } = options
  const destinations = makeDestinations(options.hosts, options.resolve ?? resolveBySystem)
  const wire = openWire({ ca, lookup: destinations.lookup, limit })
  const vapid = makeVapid(options.vapid, clock)
  const fault = vapidFault(options.vapid)

  const resultOf = ({ status, body, retryAfter: after }: Answer, origin: string): PushResult => {
    switch (meaningOf(status, body)) {
      case 'delivered':
        vapid.accepted(origin)
        return DELIVERED
      case 'dead':
        return DEAD
      case 'refused':
        return REFUSED
      case 'retry':
        return retry(retryAfter(after, clock.now()))
      case 'sender':
        // Somebody else's pushes pass: this one subscription must not stop them.
        return vapid.isKnownTo(origin) ? retry() : ourFault(wordOf(status, body))
    }
  }

  const post = async (push: Push, { endpoint }: Subscription, body: Buffer): Promise<PushResult> => {
    const url = new URL(endpoint)
    const { origin } = url
    const signal = AbortSignal.timeout(limit)
    const ask = ({ authorization }: Signed): Promise<Answer> =>
      wire.post(url, { ...headersOf(push, clock.now()), authorization }, body, signal)

    const signed = vapid.headerFor(origin)
    const answer = await ask(signed)
    const isRefused = meaningOf(answer.status, answer.body) === 'sender'
    if (!isRefused || !vapid.forget(origin, signed)) return resultOf(answer, origin)
    return resultOf(await ask(vapid.headerFor(origin)), origin)
  }

  const send = async (push: Push): Promise<PushResult> => {
    const { destination, message } = push
    if (destination.provider !== 'webpush') return REFUSED
    const { subscription } = destination
    if (!destinations.allows(subscription.endpoint) || bytesOf(message) > MOST_BYTES) return REFUSED
    if (fault !== undefined) return ourFault(fault)
    const body = encryptFor(subscription, message)
    if (body === undefined) return REFUSED
    try {
      return await post(push, subscription, body)
    } catch {
      // No answer: no connection, one that broke, a certificate that does not hold, a name that leads nowhere, or too slow.
      return retry()
    }
  }

  return {
    bytesOf,
    send: (push) => () => send(push),
    check: async () => (fault === undefined ? DELIVERED : ourFault(fault)),
    close: () => wire.close(),
  }
}
