import * as O from 'fp-ts/lib/Option.js'
import type { Caller } from '../access/caller.ts'
import { type Visibility, visibilityOf } from '../items/visibility.ts'
import type { Look } from '../notifications/message.ts'
import type { DefaultProvider, DeviceCodec } from '../people/destination.ts'
import { BROWSER_PUSH_HOSTS, type PushHost } from '../people/push-hosts.ts'
import type { Clock } from '../ports/clock.ts'
import type { Colour } from '../values/colour.ts'
import { dayOf, type LocalDate } from '../values/local-date.ts'
import { type TimeZone, UTC } from '../values/time-zone.ts'

/** What a deployment may decide for itself. */
export interface Policy {
  /** Where "today" is counted (B8). */
  readonly timeZone: TimeZone
  /** Whether a Live library item waits for its publication date (C9). */
  readonly embargo: boolean
  /** How long an access token lives, in seconds (A4). */
  readonly tokenTtl: number
  /** How long a session of the console lives without a request, in seconds (M4). */
  readonly sessionIdle: number
  /** How long a session of the console lives at most, in seconds (M4). */
  readonly sessionLife: number
  /** The provider of device tokens that tell none (F5). */
  readonly pushDefault: O.Option<DefaultProvider>
  /** Further kinds of devices that the host adds (F5). All processes on a database need the same. */
  readonly deviceCodecs?: ReadonlyArray<DeviceCodec>
  /** Where Web Push endpoints may be (F5). */
  readonly webPushHosts: ReadonlyArray<PushHost>
  /** The icon and colour of every notification (G1). */
  readonly look: Look
  /** How long a notification may be on its way, in seconds (G5). */
  readonly notificationLife: number
  /** How long the per-device rows of a notification are kept after its end, in days (G8). */
  readonly deliveryDays: number
  /** How long a notification is kept after its end, in days; none: for ever (G8). */
  readonly notificationDays: O.Option<number>
  /** How long audit records are kept, in days; an item's latest revision stays (K3). */
  readonly historyDays: number
  /** The years that `joined` may ask for, both included (H2). */
  readonly joinedYears: { readonly first: number; readonly last: number }
}

/** What holds where a deployment decides nothing. */
export const DEFAULT_POLICY: Policy = {
  timeZone: UTC,
  embargo: false,
  tokenTtl: 3600,
  sessionIdle: 8 * 3600,
  sessionLife: 14 * 86_400,
  pushDefault: O.none,
  webPushHosts: BROWSER_PUSH_HOSTS,
  look: { iconUrl: O.none, color: '#1F4E79' as Colour },
  notificationLife: 86_400,
  deliveryDays: 90,
  notificationDays: O.none,
  historyDays: 730,
  joinedYears: { first: 2015, last: 2018 },
}

/** The day it is for the service (B8). */
export const todayFor = (policy: Pick<Policy, 'timeZone'>, clock: Clock): LocalDate =>
  dayOf(clock.now(), policy.timeZone)

/** What of a policy decides who sees what (C9). */
export type VisibilityPolicy = Pick<Policy, 'timeZone' | 'embargo'>

/** How far a caller sees today (A3, C9). */
export const visibilityFor = (policy: VisibilityPolicy, clock: Clock, caller: Caller): Visibility =>
  visibilityOf(caller, policy.embargo ? O.some(todayFor(policy, clock)) : O.none)
