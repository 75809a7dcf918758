import * as O from 'fp-ts/lib/Option.js'
import type { PushMessage, Shortened } from '../notifications/model.ts'
import { PAYLOAD_LIMIT, type Push, type PushResult } from '../notifications/push.ts'
import {
  type DeviceCodec,
  type DeviceKind,
  destinationOf,
  PROVIDERS,
  type Provider,
} from '../people/destinations.ts'
import type { DeviceId } from '../people/model.ts'
import { addMillis, type Instant, isFarAhead, MINUTE, SECOND } from '../values/time.ts'
import type { Batch, DeliveryResult, Eligibility, Recipient, RetryCause } from './batch.ts'
import type { Lanes } from './lanes.ts'
import { type Origin, originOf, providerOf, wholeOf } from './origins.ts'
import type { DeliveryPorts, PushGateway } from './ports.ts'

/**
 * The end of a notification's life: so long after its date or, if later, after it was taken up (G5).
 * @param life in milliseconds
 */
export const endOfLife = (date: Instant, startedAt: Instant, life: number): Instant =>
  addMillis(date > startedAt ? date : startedAt, life)

/** When a delivery was started, and the end of its notification's life. */
export interface DeliveryLife {
  readonly startedAt: Instant
  readonly endsAt: Instant
  /** From when its life counts while its start lies in the future, if it ever did. */
  readonly countedFrom: O.Option<Instant>
}

/**
 * Returns the life of a delivery as it counts now (I9). While its start lies in the future, the clock was ahead then, or is behind now: the life counts
 * from the first look on, as long as it was. The stored end counts again once the clock has passed the start.
 */
export const lifeAt = (life: DeliveryLife, now: Instant): Pick<DeliveryLife, 'endsAt' | 'countedFrom'> => {
  const { startedAt, endsAt, countedFrom } = life
  if (!isFarAhead(startedAt, now)) return { endsAt, countedFrom }
  const from = O.isSome(countedFrom) && !isFarAhead(countedFrom.value, now) ? countedFrom.value : now
  return { endsAt: addMillis(from, endsAt - startedAt), countedFrom: O.some(from) }
}

/**
 * Returns until when a device waits for its origin at most: the end of the notification's life or, where a step of the clock keeps that from counting, a
 * minute.
 */
export const heldUntil = (endsAt: Instant, now: Instant): Instant =>
  now < endsAt ? endsAt : addMillis(now, MINUTE)

/** The maximum number of sends to a device, including the first: about a day of the longest delays. */
export const MOST_ATTEMPTS = 50

const FIRST_DELAY = 10 * SECOND
const LONGEST_DELAY = 60 * MINUTE

/**
 * The last try begins so long before the end of the notification's life, in milliseconds: its device may wait a few seconds for others that
 * are tried again with it, and its provider may take {@link ANSWER_WITHIN}.
 */
export const LAST_TRY = 20 * SECOND

/** A send that did not succeed and may be tried again. */
export interface Attempt {
  /** Sends so far, from 1. */
  readonly attempts: number
  readonly now: Instant
  /** What the provider asked for, in milliseconds from now. */
  readonly retryAfter: O.Option<number>
  /** From 0 to below 1: how much of the longest delay is waited. */
  readonly fraction: number
  readonly endsAt: Instant
  /** Why it is tried again; because of the device unless given. */
  readonly cause?: RetryCause
}

/** The number of attempts for which the provider's time alone counts; later attempts also wait for our delays. */
const RETRY_AFTER_ATTEMPTS = 5

/**
 * The delays after a first and after a further refusal of the sender, in milliseconds, give or take {@link JITTER}. They stay below the ten seconds
 * within which devices follow once their origin accepts again. Three refusals, after which a device has failed, take at least eleven (G15).
 */
const REFUSED = { first: 5 * SECOND, further: 8 * SECOND }

const JITTER = SECOND

/** Tries after which a device that gets no answer waits longer than ten seconds. Two such devices have their origin probed before (G15). */
const SILENT_TRIES = 3

/** Returns the shortest and the longest delay of our own, in milliseconds. */
const delayBounds = ({ attempts, cause = 'device' }: Attempt) => {
  if (cause === 'sender') {
    const delay = attempts === 1 ? REFUSED.first : REFUSED.further
    return { shortest: delay - JITTER, longest: delay + JITTER }
  }
  const undoubled = cause === 'silence' ? SILENT_TRIES : 1
  const longest = FIRST_DELAY * 2 ** Math.max(0, attempts - undoubled)
  return { shortest: 0, longest: Math.min(LONGEST_DELAY, longest) }
}

const delayOf = (attempt: Attempt): number => {
  const { attempts, retryAfter, fraction } = attempt
  const { shortest, longest } = delayBounds(attempt)
  const jittered = Math.ceil(shortest + (longest - shortest) * fraction)
  // "At once" is no time to wait for.
  const asked = O.isSome(retryAfter) && retryAfter.value > 0 ? retryAfter.value : jittered
  return attempts <= RETRY_AFTER_ATTEMPTS ? asked : Math.max(asked, jittered)
}

/**
 * When to try again: when the provider says so, else after a random part of a delay that doubles with the attempts (full jitter).
 * A provider that goes on asking for a moment's patience does not use up the attempts in a moment. A time that the notification would not
 * live to see is moved forward, once, to {@link LAST_TRY} before its end. None when the attempts are used up or that moment has come
 * (G5).
 */
export const retryAt = (attempt: Attempt): O.Option<Instant> => {
  const { attempts, now, endsAt } = attempt
  if (attempts >= MOST_ATTEMPTS) return O.none
  const next = addMillis(now, delayOf(attempt))
  if (next < endsAt) return O.some(next)
  const last = addMillis(endsAt, -LAST_TRY)
  return now < last ? O.some(last) : O.none
}

/** A message as it is sent, and what was left out of it. */
export interface FittedMessage {
  readonly message: PushMessage
  readonly shortened: Shortened
}

const without = (message: PushMessage, urls: Partial<PushMessage['data']>): PushMessage => ({
  ...message,
  data: { ...message.data, ...urls },
})

/**
 * Returns a message whose item has grown since it was created so that providers take it: without its image, else without its links too (G6).
 * @param bytesOf the bytes that a message takes with the provider where it takes most
 */
export const fitted = (message: PushMessage, bytesOf: (message: PushMessage) => number): FittedMessage => {
  const forms: ReadonlyArray<FittedMessage> = [
    { message, shortened: '' },
    { message: without(message, { visualUrl: '' }), shortened: 'image' },
    { message: without(message, { visualUrl: '', actionUrl: '', iconUrl: '' }), shortened: 'links' },
  ]
  return forms.find((form) => bytesOf(form.message) <= PAYLOAD_LIMIT) ?? (forms.at(-1) as FittedMessage)
}

/** Why a device has failed without a push. */
export type NotSentReason = 'no rule recognises the token' | 'the life of the notification was over'

/**
 * How often a provider gave one answer, other than that it took the push, or nothing was sent for one reason: what an operator looks for
 * when many devices have failed.
 */
export interface ResponseCount {
  readonly provider: DeviceKind
  readonly result: Exclude<PushResult['_tag'], 'Delivered'> | 'NotSent'
  /** The provider's word, or a {@link NotSentReason}. */
  readonly reason: string
  readonly count: number
}

/** Answers that differ, at most: more words than this no provider has, and none may fill the memory with its own. */
const MOST = 100

/** A gateway, and the answers that came through it. */
export interface CountedGateway {
  readonly gateway: PushGateway
  /** Counts a device that has failed without a push. */
  notSent(kind: DeviceKind, reason: NotSentReason): void
  /** The most frequent first. */
  responses(): ReadonlyArray<ResponseCount>
}

/** Counts what a gateway is answered. */
export const countResponses = (gateway: PushGateway): CountedGateway => {
  const counts = new Map<string, ResponseCount>()
  const add = (one: Omit<ResponseCount, 'count'>): void => {
    const key = `${one.provider} ${one.result} ${one.reason}`
    const before = counts.get(key)
    if (before === undefined && counts.size >= MOST) return
    counts.set(key, { ...one, count: (before?.count ?? 0) + 1 })
  }
  const note = (provider: DeviceKind, result: PushResult): void => {
    if (result._tag !== 'Delivered') add({ provider, result: result._tag, reason: result.reason })
  }
  return {
    notSent: (provider, reason) => add({ provider, result: 'NotSent', reason }),
    gateway: {
      ...gateway,
      send: (push) => async () => {
        const result = await gateway.send(push)()
        note(push.destination.provider, result)
        return result
      },
    },
    responses: () => [...counts.values()].sort((a, b) => b.count - a.count),
  }
}

/** The facts after a response of a provider. */
export interface ProviderResponse {
  readonly recipient: Recipient
  readonly origin: Origin
  readonly result: PushResult
  readonly attachedAt: Instant
  readonly now: Instant
  /** From 0 to below 1, for jitter. */
  readonly fraction: number
}

/** Returns the result of a recipient for the response to its push (G5). */
export const resultOf = (
  { endsAt }: Pick<Batch, 'endsAt'>,
  { recipient: { deviceId, attempts }, origin, result, attachedAt, now, fraction }: ProviderResponse,
): DeliveryResult => {
  const again = (cause: RetryCause, reason: string, retryAfter: O.Option<number>): DeliveryResult => {
    const at = retryAt({ attempts: attempts + 1, now, retryAfter, fraction, endsAt, cause })
    return { deviceId, kind: 'retry', origin, cause, reason, at }
  }
  switch (result._tag) {
    case 'Delivered':
      return { deviceId, kind: 'responded', origin, outcome: 'delivered' }
    case 'Unregistered':
      return { deviceId, kind: 'unregistered', origin, attachedAt }
    case 'Refused':
      return { deviceId, kind: 'responded', origin, outcome: 'failed' }
    // A fault of ours may be mended before the notification's end, and says nothing of the device.
    case 'SenderError':
      return again(result.for === 'all' ? 'sender' : 'partner', result.reason, O.none)
    case 'Retry': {
      const { because, after, reason } = result
      if (because === 'origin') return { deviceId, kind: 'heldBack', origin, after, reason }
      return again(because, reason, after)
    }
  }
}

/** The next step for a recipient: it has a result without a push, or there is a push to send. */
type Plan =
  | { readonly kind: 'result'; readonly result: DeliveryResult }
  | { readonly kind: 'push'; readonly origin: Origin; readonly push: Push }

/** Sends to the recipients of a batch. */
interface Sender {
  /**
   * Decides about a recipient. A detached, moved or unsubscribed device is skipped (G4). After the end of the notification's life, or without a
   * provider for its token, it counts as failed (G7). While its origin is closed, it waits for it (G5, G15).
   */
  plan(recipient: Recipient, eligibility: Eligibility): Plan
  /** Sends a push, and gives the result of its recipient. */
  send(recipient: Recipient, plan: Extract<Plan, { readonly kind: 'push' }>): Promise<DeliveryResult>
}

const isClosed = ({ closed }: Eligibility, origin: Origin, deviceId: DeviceId): boolean => {
  if (closed.get(wholeOf(providerOf(origin)))?.kind === 'stopped') return true
  const own = closed.get(origin)
  return own !== undefined && !(O.isSome(own.probe) && own.probe.value === deviceId)
}

/** Makes the sender of a batch. @param left providers whose devices are left to other processes */
export const makeSender = (
  ports: Pick<DeliveryPorts, 'pushGateway' | 'clock' | 'random'> & Pick<CountedGateway, 'notSent'>,
  { claim: { notificationId }, endsAt: storedEnd }: Batch,
  {
    message,
    left,
    deviceCodecs,
    lanes,
    lifeEnd,
  }: {
    readonly message: PushMessage
    readonly left: ReadonlySet<Provider>
    readonly deviceCodecs?: ReadonlyArray<DeviceCodec> | undefined
    readonly lanes: Pick<Lanes, 'note'>
    readonly lifeEnd: (endsAt: Instant) => Instant
  },
): Sender => ({
  plan({ deviceId }, eligibility) {
    const without = (result: DeliveryResult): Plan => ({ kind: 'result', result })
    const reachable = eligibility.devices.get(deviceId)
    if (reachable === undefined) return without({ deviceId, kind: 'notSent', outcome: 'skipped' })
    const { token, kind, attachedAt } = reachable
    const destination = destinationOf(token, kind, deviceCodecs)
    const endsAt = lifeEnd(storedEnd)
    if (destination === undefined || ports.clock.now() >= endsAt) {
      const isKnown = destination !== undefined
      ports.notSent(kind, isKnown ? 'the life of the notification was over' : 'no rule recognises the token')
      return without({ deviceId, kind: 'notSent', outcome: 'failed' })
    }
    const origin = originOf(destination)
    if (left.has(destination.provider) || isClosed(eligibility, origin, deviceId))
      return without({ deviceId, kind: 'deferred', origin })
    return {
      kind: 'push',
      origin,
      push: { notificationId, deviceId, destination, message, attachedAt, endsAt },
    }
  },
  async send(recipient, { origin, push }) {
    const result = await ports.pushGateway.send(push)()
    lanes.note(origin, result)
    const [now, fraction] = [ports.clock.now(), ports.random.fraction()]
    const { attachedAt, endsAt } = push
    return resultOf({ endsAt }, { recipient, origin, result, attachedAt, now, fraction })
  },
})

/** Returns the providers that a gateway sends by, of all those of its deployment. */
export const providersOf = (
  { providers }: Pick<PushGateway, 'providers'>,
  all: ReadonlyArray<Provider> = PROVIDERS,
): ReadonlySet<Provider> => providers ?? new Set(all)
