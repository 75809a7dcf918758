import type { ProposalId } from '@almoner/domain/content'
import {
  type DeliveryResult,
  effectAlone,
  groupByOrigin,
  heldUntil,
  isAhead,
  leaseFrom,
  newPause,
  type Origin,
  overrideAt,
  type Pause,
  pauseOf,
  pauseOfAll,
  providerOf,
  type Recorded,
  type RecordingTime,
  type ReleaseRequest,
  type ServedRecipient,
  type Settled,
  scatter,
  settle,
  whileProbing,
  wholeOf,
} from '@almoner/domain/delivery'
import { canBeUndone } from '@almoner/domain/history'
import type { MediaName } from '@almoner/domain/media'
import { isSettled } from '@almoner/domain/notifications'
import type { DeviceId } from '@almoner/domain/people'
import type { ImageMissing, ItemWrite } from '@almoner/domain/ports'
import { addMillis, type Instant, type ItemId, type NotificationId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { healthIn, keepHealth, storedIn } from './providers.ts'
import { type Fixed, openIn, progressOf, type Sending, type Tables } from './tables.ts'

/** The deliveries whose notification is there. */
export const livingIn = ({
  notifications,
  sendings,
}: Tables): ReadonlyArray<readonly [NotificationId, Sending]> =>
  [...sendings].filter(([id]) => notifications.has(id))

/** A recipient that waits for its origin. */
interface Held {
  readonly notificationId: NotificationId
  readonly recipient: Fixed
  readonly origin: Origin
}

/** The recipients that wait for their origins. */
export const heldIn = (tables: Tables): ReadonlyArray<Held> =>
  livingIn(tables).flatMap(([notificationId, { recipients }]) =>
    recipients.flatMap((recipient) => {
      const { standing } = recipient
      return standing.kind === 'held' ? [{ notificationId, recipient, origin: standing.origin }] : []
    }),
  )

/** The most deferred devices of an origin that one call releases. */
const MOST = 1000

const makeDue = (recipient: Fixed, at: Instant, planned: Instant): void => {
  recipient.standing = { kind: 'waiting', at, planned }
}

/** Sends to one of the devices as a probe, if it is time for it. */
const probe = (
  tables: Tables,
  origin: Origin,
  held: ReadonlyArray<Held>,
  { now, fraction }: ReleaseRequest,
): number => {
  const health = healthIn(tables, origin)
  const picked = held[Math.floor(fraction * held.length)]
  if (picked === undefined || (O.isSome(health.pause) && isAhead(health.pause.value, now))) return 0
  const { notificationId, recipient } = picked
  keepHealth(tables, origin, whileProbing(health, { notificationId, deviceId: recipient.deviceId, at: now }))
  makeDue(recipient, now, now)
  return 1
}

const releaseOrigin = (
  tables: Tables,
  origin: Origin,
  held: ReadonlyArray<Held>,
  request: ReleaseRequest,
): number => {
  const { now, room } = request
  const pause = O.toUndefined(pauseOf(healthIn(tables, origin), now))
  if (O.isSome(pauseOfAll(healthIn(tables, wholeOf(providerOf(origin)))))) return 0
  if (pause?.kind === 'probed') return probe(tables, origin, held, request)
  if (pause !== undefined) return 0
  const some = held.slice(0, Math.min(MOST, room(origin)))
  for (const { recipient } of some) makeDue(recipient, addMillis(now, -scatter(recipient.deviceId)), now)
  return some.length
}

/** Releases devices that wait for their origins. */
export const release = (tables: Tables, request: ReleaseRequest): number => {
  const all = heldIn(tables)
  const origins = [...new Set(all.map(({ origin }) => origin))]
  return origins
    .filter((origin) => request.by.includes(providerOf(origin)))
    .reduce(
      (sum, origin) =>
        sum +
        releaseOrigin(
          tables,
          origin,
          all.filter((one) => one.origin === origin),
          request,
        ),
      0,
    )
}

/**
 * Stores which images an item references.
 * @returns the images without references, which this call forgets unless its act can be undone; ImageGone without a change if a displayed image is unknown
 */
export const holdImages = (
  tables: Tables,
  {
    item,
    act,
    storesImages,
    displaysImages,
    linksToImages,
  }: ItemWrite<{ readonly id: ItemId | ProposalId; readonly updatedAt: Instant }>,
): E.Either<ImageMissing, ReadonlyArray<MediaName>> => {
  const known = new Set([...tables.images.keys(), ...storesImages.map(({ name }) => name)])
  const gone = displaysImages.find((name) => !known.has(name))
  if (gone !== undefined) return E.left({ _tag: 'ImageMissing', name: gone })
  for (const image of storesImages) tables.images.set(image.name, image)
  const before = tables.holds.get(item.id) ?? new Set<MediaName>()
  tables.holds.set(item.id, new Set([...displaysImages, ...linksToImages].filter((name) => known.has(name))))
  if (!canBeUndone(act)) return E.right(forgetUnheld(tables, before))
  const held = new Set([...tables.holds.values()].flatMap((names) => [...names]))
  for (const name of before) if (!held.has(name)) tables.released.set(name, item.updatedAt)
  return E.right([])
}

/** Forgets images that nothing references any more, and returns them (D5). */
export const forgetUnheld = (
  { holds, images }: Pick<Tables, 'holds' | 'images'>,
  names: Iterable<MediaName>,
): ReadonlyArray<MediaName> => {
  const held = new Set([...holds.values()].flatMap((some) => [...some]))
  const orphans = [...names].filter((name) => !held.has(name))
  for (const name of orphans) images.delete(name)
  return orphans
}

/** Detaches a dead device and lists it as dead, unless it was moved or attached again since (G5). */
const detach = (
  { devices, deadDevices }: Tables,
  { deviceId, email }: Fixed,
  { attachedAt, now }: { readonly attachedAt: Instant; readonly now: Instant },
): void => {
  const [identity, held] = [...devices].find(([, { id }]) => id === deviceId) ?? []
  const isAsItWas = held?.device.email === email && held.device.attachedAt === attachedAt
  if (identity === undefined || !isAsItWas) return
  devices.delete(identity)
  deadDevices.set(identity, { device: held.device, detachedAt: now })
}

interface RecordedBatch extends RecordingTime {
  readonly sending: Sending
  /** The end of its life as it counts now. */
  readonly endsAt: Instant
  readonly notificationId: NotificationId
  readonly batch: number
}

/** Takes a recipient with an outcome or a planned retry out of its batch. */
const end = (
  tables: Tables,
  recipient: Fixed,
  { result, effect }: { readonly result: DeliveryResult; readonly effect: Settled },
  { endsAt, now }: RecordedBatch,
): void => {
  if (effect.kind === 'ended') {
    recipient.standing = { kind: 'ended', outcome: effect.outcome, at: now }
    if (result.kind === 'unregistered') detach(tables, recipient, { attachedAt: result.attachedAt, now })
    return
  }
  recipient.refusals += Number(effect.isStrike)
  if (effect.kind === 'held') {
    recipient.standing = { kind: 'held', origin: effect.origin, at: heldUntil(endsAt, now), planned: now }
    return
  }
  recipient.attempts += 1
  recipient.standing = { kind: 'waiting', at: effect.at, planned: now }
}

/** The devices of a notification that are sent to as probes. */
const probesOf = ({ origins }: Tables, id: NotificationId): ReadonlyMap<DeviceId, Origin> =>
  new Map(
    [...origins.values()].flatMap(({ origin, health: { probe } }) =>
      O.isSome(probe) && probe.value.notificationId === id ? [[probe.value.deviceId, origin] as const] : [],
    ),
  )

/** Settles results by the health of their origins, which changes. */
const settleAll = (tables: Tables, batch: RecordedBatch, served: ReadonlyArray<ServedRecipient>) => {
  const { now, credentials, notificationId } = batch
  const { byOrigin, rest } = groupByOrigin(served, probesOf(tables, notificationId))
  const effects = new Map<DeviceId, Settled>(rest.map((effect) => [effect.deviceId, effect]))
  const paused: Array<Pause> = []
  for (const [origin, some] of byOrigin) {
    const before = healthIn(tables, origin)
    const provider = providerOf(origin)
    const { health, settled } = settle(before, some, {
      ...{ origin, notificationId, now, credentials: credentials[provider] ?? '' },
      isOverridden: O.isSome(overrideAt(storedIn(tables, wholeOf(provider)), now)),
    })
    keepHealth(tables, origin, health)
    paused.push(...RA.fromOption(newPause(before, health)))
    for (const effect of settled) effects.set(effect.deviceId, effect)
  }
  return { effects, paused }
}

/**
 * Records results of a batch, and finishes the delivery after the last recipient. Existing outcomes stay.
 */
export const take = (
  tables: Tables,
  batch: RecordedBatch,
  given: ReadonlyArray<DeliveryResult>,
): Recorded => {
  const { sending, now, shortened = '' } = batch
  if (shortened !== '') sending.shortened = shortened
  const open = new Map(openIn(sending, batch.batch).map((recipient) => [recipient.deviceId, recipient]))
  const served = [...new Map(given.map((result) => [result.deviceId, result])).values()].flatMap((result) => {
    const recipient = open.get(result.deviceId)
    return recipient === undefined ? [] : [{ recipient, result }]
  })
  const { effects, paused } = settleAll(tables, batch, served)
  for (const { recipient, result } of served) {
    const [fixed, effect] = [open.get(recipient.deviceId), effects.get(recipient.deviceId)]
    if (fixed !== undefined && effect !== undefined) end(tables, fixed, { result, effect }, batch)
  }
  if (O.isNone(sending.finishedAt) && isSettled(progressOf(sending))) sending.finishedAt = O.some(now)
  return { results: given.map((result) => effects.get(result.deviceId) ?? effectAlone(result)), paused }
}

/** Counts the remaining recipients of a batch as failed, and finishes the delivery after the last one. Returns their number. */
export const failOpen = (sending: Sending, batch: number, now: Instant): number => {
  const left = openIn(sending, batch)
  for (const recipient of left) recipient.standing = { kind: 'ended', outcome: 'failed', at: now }
  if (O.isNone(sending.finishedAt) && isSettled(progressOf(sending))) sending.finishedAt = O.some(now)
  return left.length
}

/** Returns the lease after a record; none after the last results. */
export const leaseAfter = ({ now, last }: { now: Instant; last: boolean }): O.Option<Instant> =>
  last ? O.none : O.some(leaseFrom(now))
