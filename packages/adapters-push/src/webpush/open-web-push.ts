import { ANSWER_WITHIN } from '@almoner/domain/delivery'
import {
  DELIVERED,
  holdBack,
  type Push,
  type PushResult,
  REFUSED,
  refused,
  retry,
  senderError,
  UNANSWERED,
  unregistered,
} from '@almoner/domain/notifications'
import type { PushHost, Subscription } from '@almoner/domain/people'
import type { Clock, PushGateway } from '@almoner/domain/ports'
import { SECOND } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import {
  type Deadline,
  type HttpsProxy,
  makeTimeLimit,
  type PostResponse,
  type StartTimer,
} from '../connections.ts'
import { fingerprintOf } from '../credentials.ts'
import { type Resolve, resolveBySystem } from '../public-addresses.ts'
import { retryAfter } from '../retry-after.ts'
import { makeDestinations } from './destinations.ts'
import { makeEncryptor } from './encryptor.ts'
import { bytesOf, FIREFOX_ANDROID, headersOf, MOST_BYTES, plaintextOf } from './message.ts'
import { type Meaning, meaningOf, readWindows, wordOf } from './outcomes.ts'
import { makeVapid, type Signed, type VapidKeys, vapidFault } from './vapid.ts'
import { openWire } from './wire.ts'

/** What a {@link WebPushGateway} is opened with. */
export interface WebPushOptions {
  readonly vapid: VapidKeys
  /** The allow-list (F5). */
  readonly hosts: ReadonlyArray<PushHost>
  readonly clock: Clock
  /** An authority to trust beside the usual ones, PEM. */
  readonly ca?: string
  /** Finds the addresses of the hosts itself, so that only the allow-list counts. */
  readonly proxy?: HttpsProxy | undefined
  /** How long a push is given, in milliseconds: a little less than the domain's `ANSWER_WITHIN` when left out. */
  readonly limit?: number
  /** Ends the time of pushes; the machine's timers when left out. */
  readonly startTimer?: StartTimer
  /** The system's resolver when left out. */
  readonly resolve?: Resolve
  /** Number of encryption threads. Default: the number of cores, up to four. 0: the calling thread encrypts. */
  readonly threads?: number
}

/** Carries pushes to browsers. */
export interface WebPushGateway extends PushGateway {
  /** Resolves to Delivered if the credentials are valid. Asks no push service, because none knows the keys in advance. Never rejects. */
  readonly check: Task<PushResult>
  /** Waits for the responses to sent pushes, then closes every connection. Later pushes resolve to Retry. */
  close(): Promise<void>
}

const LIMIT = ANSWER_WITHIN - 0.5 * SECOND

/** A subscription whose endpoint is allowed. */
interface Target extends Pick<Subscription, 'keys'> {
  readonly url: URL
}

/**
 * Web Push (RFC 8030, 8291, 8292), to hosts on the allow-list alone (F5).
 *
 * Refused, without anybody being asked: a subscription that the list does not allow, a message that is too long by now, and keys of a
 * subscription that nothing can be encrypted with. The last is not dead: a fault of ours in encrypting must not detach devices.
 */
export const openWebPush = (options: WebPushOptions): WebPushGateway => {
  const { clock, limit = LIMIT, ca, proxy } = options
  const destinations = makeDestinations(options.hosts, options.resolve ?? resolveBySystem)
  const wire = openWire({ ca, proxy, lookup: destinations.lookup, limit })
  const vapid = makeVapid(options.vapid, clock)
  const encryptor = makeEncryptor(options.threads)
  const fault = vapidFault(options.vapid)
  const timeLimit = makeTimeLimit(limit, options.startTimer)
  let isClosed = false

  const resultOf = (answer: PostResponse, meaning: Meaning): PushResult => {
    const { means, words } = readWindows(answer, meaning)
    if (means === 'delivered') return DELIVERED
    const { status, body, retryAfter: after, date } = answer
    const word = [wordOf(status, body), ...words].join(' ')
    const asked = retryAfter(after, clock.now(), date)
    switch (means) {
      case 'dead':
        return unregistered(word)
      case 'refused':
        return refused(word)
      case 'busy':
        return holdBack(asked, word)
      case 'retry':
        return O.isSome(asked) && !words.includes('channelthrottled')
          ? holdBack(asked, word)
          : retry(asked, word)
      case 'sender':
        return senderError(word)
    }
  }

  const post = async (push: Push, url: URL, body: Buffer, deadline: Deadline): Promise<PushResult> => {
    const { origin } = url
    const ask = async ({ authorization }: Signed): Promise<PostResponse> => {
      const headers = { ...headersOf(push, clock.now()), authorization: await authorization }
      return wire.post({ url, headers, body }, deadline)
    }
    const signed = vapid.headerFor(origin)
    const answer = await ask(signed)
    const meaning = meaningOf(answer)
    if (meaning !== 'sender' || !vapid.forget(origin, signed)) return resultOf(answer, meaning)
    const second = await ask(vapid.headerFor(origin))
    return resultOf(second, meaningOf(second))
  }

  /** @param onAsk called before the push service is asked */
  const carry = async (
    push: Push,
    { url, keys }: Target,
    deadline: Deadline,
    onAsk: () => void,
  ): Promise<PushResult> => {
    // A thread that has died says nothing of the service.
    const encrypted = await encryptor
      .encrypt({ keys, plaintext: plaintextOf(push.message) })
      .catch(() => 'lost' as const)
    if (encrypted === 'lost') return retry()
    if (encrypted === undefined) return refused('keys that nothing can be encrypted with')
    onAsk()
    try {
      return await post(push, url, Buffer.from(encrypted.buffer), deadline)
    } catch {
      // No answer: no connection, one that broke, a certificate that does not hold, a name that leads nowhere.
      return UNANSWERED
    }
  }

  const carryInTime = async (push: Push, target: Target): Promise<PushResult> => {
    let isAsked = false
    const onAsk = (): void => {
      isAsked = true
    }
    const result = await timeLimit.run<PushResult | undefined>(undefined, (deadline) =>
      carry(push, target, deadline, onAsk),
    )
    // A push that has waited too long for a thread says nothing of the service either.
    return result ?? (isAsked ? UNANSWERED : retry())
  }

  const send = async (push: Push): Promise<PushResult> => {
    const { destination, message } = push
    if (destination.provider !== 'webpush') return REFUSED
    const { endpoint, keys } = destination.subscription
    const url = destinations.allowed(endpoint)
    if (url === undefined) return refused('a host that is not allowed')
    if (bytesOf(message) > MOST_BYTES) return refused('too long')
    if (fault !== undefined) return senderError(fault)
    if (isClosed) return retry()
    return carryInTime(push, { url, keys })
  }

  return {
    credentials: { webpush: fingerprintOf(options.vapid.publicKey) },
    bytesOf,
    smallerLimits: (message) => [
      { service: 'firefox-android', bytes: bytesOf(message), most: FIREFOX_ANDROID },
    ],
    send: (push) => () => send(push),
    check: async () => (fault === undefined ? DELIVERED : senderError(fault)),
    close: async () => {
      isClosed = true
      await timeLimit.idle()
      await Promise.all([encryptor.close(), wire.close()])
    },
  }
}
