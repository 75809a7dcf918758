import * as O from 'fp-ts/lib/Option.js'
import type { Destination, Provider } from '../people/destinations.ts'
import type { DeviceId } from '../people/model.ts'
import { parseUrl } from '../values/addresses.ts'
import type { NotificationId } from '../values/ids.ts'
import type { Branded } from '../values/refined.ts'
import { addMillis, type Instant, instant, isFarAhead, MINUTE, SECOND } from '../values/time.ts'

/**
 * A server that pushes go to, by which failures are distinguished (G15): `fcm`, `apns`, `apns sandbox`, `webpush https://host`, or the name of a
 * provider that a host has added. `webpush` alone stands for all of Web Push.
 */
export type Origin = Branded<string, 'Origin'>

const SPACE = ' '

/** Returns the name of a provider as an origin: that of its only server, or of all of them together. */
export const wholeOf = (provider: Provider): Origin => provider as string as Origin

/** Returns the server behind a destination. */
export const originOf = (destination: Destination): Origin => {
  const { provider } = destination
  const server = (name: string) => `${provider}${SPACE}${name}` as Origin
  if (provider === 'webpush') return server(parseUrl(destination.subscription.endpoint).origin)
  return provider === 'apns' && destination.sandbox ? server('sandbox') : wholeOf(provider)
}

/** Returns the provider of an origin. */
export const providerOf = (origin: Origin): Provider => origin.split(SPACE, 1)[0] as Provider

/** Returns the part of an origin behind the provider's name; empty for a provider with one server. */
export const serverOf = (origin: Origin): string => origin.split(SPACE).slice(1).join(SPACE)

/**
 * Nothing is sent to an origin, on any node and across restarts (G5, G15). Its devices stay pending.
 * `stopped`: an operator has to end it. `held`: it ends by itself. `probed`: one device at a time is sent to until the origin accepts.
 */
export interface Pause {
  readonly origin: Origin
  readonly kind: 'stopped' | 'held' | 'probed'
  /** A short word for operators: the provider's own, or {@link TOO_MANY_DEAD}, {@link NO_ANSWER} or {@link PAUSED_BY_OPERATOR}. */
  readonly reason: string
  readonly since: Instant
  /** When it ends, or when the next device is sent to; none where an operator has to decide. */
  readonly until: O.Option<Instant>
  /** When `until` was decided; that of `since` where it is not known. */
  readonly planned?: Instant
}

/** Why the brake was pulled (G5). */
export const TOO_MANY_DEAD = 'too many tokens called dead'

/** Why an operator's pause is one. */
export const PAUSED_BY_OPERATOR = 'paused by an operator'

/** Why an origin that gives no answer is probed (G15). */
export const NO_ANSWER = 'no answer'

/**
 * Whether the time of a pause is still to come. One that was planned in the future was planned by a clock that has been set back since: its time
 * is over (I9).
 */
export const isAhead = (
  { since, until, planned = since }: Pick<Pause, 'since' | 'until' | 'planned'>,
  now: Instant,
): boolean => O.isNone(until) || (now < until.value && !isFarAhead(planned, now))

/** A pause that an operator has to end. */
export const stopped = (origin: Origin, reason: string, now: Instant): Pause => ({
  origin,
  kind: 'stopped',
  reason,
  since: now,
  until: O.none,
})

/**
 * Returns the pause of a provider as a whole. The row of `apns` is that of its production server too, whose back-off and probes do not concern the
 * sandbox: only a pause that an operator has to end is for all servers (G15).
 */
export const pauseOfAll = ({ pause }: { readonly pause: O.Option<Pause> }): O.Option<Pause> =>
  O.filter(({ kind }: Pause) => kind === 'stopped')(pause)

/** Answers of an origin about tokens, and how many of them called one dead. */
export interface SampleCounts {
  readonly responses: number
  readonly unregistered: number
}

/** The one device that is sent to while an origin is probed. */
export interface Probe {
  readonly notificationId: NotificationId
  readonly deviceId: DeviceId
  readonly at: Instant
}

/** What the service remembers of an origin, together on all nodes and across restarts (G5, G15). */
export interface OriginHealth {
  /** The stretch of answers under way, and the one before it. */
  readonly sampleWindow: SampleCounts
  readonly before: SampleCounts
  /** Of a probed origin, its time is that of the next probe. */
  readonly pause: O.Option<Pause>
  /** The probe that is under way. */
  readonly probe: O.Option<Probe>
  /** Probes since probing began, the next one included; 0 while the origin is not probed. */
  readonly probes: number
  /** Pushes without an answer in a row. */
  readonly unanswered: number
  /** Refusals of the sender since the last accepted push. */
  readonly refusals: number
  /** Times that the origin has held us back since the last accepted push. */
  readonly backoffs: number
  /** The last accepted push, and a fingerprint of the credentials that it was sent with. */
  readonly accepted: O.Option<{ readonly at: Instant; readonly credentials: string }>
}

const NO_RESPONSES: SampleCounts = { responses: 0, unregistered: 0 }

/** An origin of which nothing is known yet. */
export const NEW_HEALTH: OriginHealth = {
  sampleWindow: NO_RESPONSES,
  before: NO_RESPONSES,
  pause: O.none,
  probe: O.none,
  probes: 0,
  unanswered: 0,
  refusals: 0,
  backoffs: 0,
  accepted: O.none,
}

/** The minimum number of responses that are judged together (G5). */
export const SAMPLE_WINDOW = 200

/** Pushes in a row without an answer after which an origin is probed (G15). */
export const MOST_UNANSWERED = 5

/** Refusals of the sender in a row after which an origin is probed: if it has accepted nothing yet, and in any case (G15). */
export const MOST_REFUSALS = { unknown: 5, known: 50 }

/** How long an accepted push proves that an origin takes pushes from us, in milliseconds (G15). */
const KNOWN_FOR = 10 * MINUTE

const SHORTEST = { backoff: SECOND, probe: 2 * SECOND }
const LONGEST = 60 * SECOND

/** An origin may ask for no longer wait than this, in milliseconds: a notification lives a day. */
const LONGEST_ASKED = 24 * 60 * MINUTE

/** A probe whose result is not recorded within this time, in milliseconds, was lost with its process. */
const PROBE_LOST = 30 * SECOND

const doubled = (first: number, times: number): number => Math.min(LONGEST, first * 2 ** times)

const later = (one: Instant, other: Instant): Instant => (one > other ? one : other)

/** The pause in force of an origin, if there is one. A probed origin is closed to all but its probe at any time. */
export const pauseOf = ({ pause }: Pick<OriginHealth, 'pause'>, now: Instant): O.Option<Pause> =>
  O.filter((one: Pause) => one.kind === 'probed' || isAhead(one, now))(pause)

/** Whether an origin has accepted a push of late, with the same credentials. */
export const isKnown = ({ accepted }: OriginHealth, credentials: string, now: Instant): boolean =>
  O.isSome(accepted) &&
  accepted.value.credentials === credentials &&
  now - accepted.value.at < KNOWN_FOR &&
  !isFarAhead(accepted.value.at, now)

const isStopped = ({ pause }: OriginHealth): boolean => O.isSome(pause) && pause.value.kind === 'stopped'

/** Returns the health after an accepted push. It ends probing; a wait that the origin asked for goes on, and one that is over is forgotten. */
export const afterAcceptance = (health: OriginHealth, credentials: string, now: Instant): OriginHealth => ({
  ...health,
  unanswered: 0,
  refusals: 0,
  backoffs: 0,
  probes: 0,
  probe: O.none,
  pause: health.probes > 0 ? O.none : pauseOf(health, now),
  accepted: O.some({ at: now, credentials }),
})

/** Returns the health of an origin that is probed from now on. A wait that it has asked for goes on. */
const probed = (health: OriginHealth, origin: Origin, reason: string, now: Instant): OriginHealth => {
  const first = addMillis(now, SHORTEST.probe)
  const asked = O.flatMap(({ until }: Pause) => until)(pauseOf(health, now))
  const until = O.some(O.isSome(asked) ? later(first, asked.value) : first)
  return {
    ...health,
    probes: 1,
    probe: O.none,
    pause: O.some({ origin, kind: 'probed', reason, since: now, until, planned: now }),
  }
}

/** Returns the health after a probe that has ended: the next one follows after the delay of its number, counted from the last. */
const nextProbe = (
  health: OriginHealth,
  next: { readonly probes: number; readonly at: Instant; readonly now: Instant; readonly reason?: string },
): OriginHealth => {
  const { probes, at, now, reason } = next
  // A probe in the future was sent by a clock that has been set back since.
  const begun = instant(Math.min(at, now))
  const until = later(now, addMillis(begun, doubled(SHORTEST.probe, probes - 1)))
  const planned = (pause: Pause): Pause => ({
    ...pause,
    reason: reason ?? pause.reason,
    until: O.some(until),
    planned: now,
  })
  return { ...health, probes, probe: O.none, pause: O.map(planned)(health.pause) }
}

/** Returns the health after a probe that the origin did not accept. */
export const afterFailedProbe = (
  health: OriginHealth,
  { at }: Probe,
  now: Instant,
  reason: string,
): OriginHealth => nextProbe(health, { probes: health.probes + 1, at, now, reason })

/** Returns the health after a probe whose device got an answer that concerns it alone, or was not sent to: another device is tried. */
export const afterWastedProbe = (health: OriginHealth, { at }: Probe, now: Instant): OriginHealth =>
  nextProbe(health, { probes: health.probes, at, now })

/** Returns the health after a push without an answer. */
export const afterSilence = (health: OriginHealth, origin: Origin, now: Instant): OriginHealth => {
  if (health.probes > 0 || isStopped(health)) return health
  const unanswered = health.unanswered + 1
  const counted = { ...health, unanswered }
  return unanswered < MOST_UNANSWERED ? counted : probed(counted, origin, NO_ANSWER, now)
}

/** Returns the health after a push that the origin refused because of who sends. */
export const afterRefusal = (
  health: OriginHealth,
  origin: Origin,
  {
    reason,
    credentials,
    now,
  }: { readonly reason: string; readonly credentials: string; readonly now: Instant },
): OriginHealth => {
  if (health.probes > 0 || isStopped(health)) return health
  const refusals = health.refusals + 1
  const counted = { ...health, refusals, unanswered: 0 }
  const most = isKnown(health, credentials, now) ? MOST_REFUSALS.known : MOST_REFUSALS.unknown
  return refusals < most ? counted : probed(counted, origin, reason, now)
}

/** Returns the health after an answer that asks us to wait: for the time that it names, else for one that doubles (G15). */
export const afterHoldBack = (
  health: OriginHealth,
  origin: Origin,
  {
    after,
    reason,
    now,
  }: { readonly after: O.Option<number>; readonly reason: string; readonly now: Instant },
): OriginHealth => {
  if (isStopped(health)) return health
  const asked = O.filter((milliseconds: number) => milliseconds > 0)(after)
  const inForce = pauseOf(health, now)
  const isFirst = O.isNone(inForce)
  const backoff = isFirst ? O.some(doubled(SHORTEST.backoff, health.backoffs)) : O.none
  const wait = O.map((milliseconds: number) => Math.min(milliseconds, LONGEST_ASKED))(
    O.alt(() => backoff)(asked),
  )
  const answered = { ...health, unanswered: 0, backoffs: health.backoffs + Number(isFirst) }
  if (O.isNone(wait)) return answered
  const until = addMillis(now, wait.value)
  const asks = { until: O.some(until), planned: now }
  if (isFirst) return { ...answered, pause: O.some({ origin, kind: 'held', reason, since: now, ...asks }) }
  const { value } = inForce
  const isLonger = isAhead(value, now) && O.isSome(value.until) && value.until.value > until
  return { ...answered, pause: O.some(isLonger ? value : { ...value, ...asks }) }
}

/** Returns the health while a probe is under way; its process is given up after a while. */
export const whileProbing = (health: OriginHealth, probe: Probe): OriginHealth => ({
  ...health,
  probe: O.some(probe),
  pause: O.map((pause: Pause) => ({
    ...pause,
    until: O.some(addMillis(probe.at, PROBE_LOST)),
    planned: probe.at,
  }))(health.pause),
})

const sum = (a: SampleCounts, b: SampleCounts): SampleCounts => ({
  responses: a.responses + b.responses,
  unregistered: a.unregistered + b.unregistered,
})

/** If more than a fifth of at least {@link SAMPLE_WINDOW} responses report dead tokens, suspects our credentials rather than the devices (G5). */
const isOverThreshold = ({ responses, unregistered }: SampleCounts): boolean =>
  responses >= SAMPLE_WINDOW && unregistered * 5 > responses

/**
 * Returns the health after further responses (G5). The circuit breaker judges two samples, so that an origin that was healthy for years is
 * stopped as soon as a new one. Responses while it is open are not counted.
 */
export const afterResponses = (
  health: OriginHealth,
  origin: Origin,
  given: SampleCounts,
  now: Instant,
): OriginHealth => {
  if (isStopped(health) || given.responses === 0) return health
  const sampleWindow = sum(health.sampleWindow, given)
  const trips = isOverThreshold(sampleWindow) || isOverThreshold(sum(health.before, sampleWindow))
  const counted =
    sampleWindow.responses < SAMPLE_WINDOW
      ? { sampleWindow, before: health.before }
      : { sampleWindow: NO_RESPONSES, before: sampleWindow }
  const open = { probes: 0, probe: O.none, pause: O.some(stopped(origin, TOO_MANY_DEAD, now)) }
  return { ...health, ...counted, ...(trips && open) }
}
