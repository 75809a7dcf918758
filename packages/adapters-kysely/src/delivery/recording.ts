import type { Email, Instant } from '@almoner/domain'
import {
  CLAIM_LOST,
  type Claim,
  type ClaimLost,
  type DeliveryResult,
  effectAlone,
  groupByOrigin,
  heldUntil,
  leaseFrom,
  newPause,
  type Pause,
  providerOf,
  type Recorded,
  type RecordingTime,
  type ServedRecipient,
  type Settled,
  settle,
  wholeOf,
} from '@almoner/domain/delivery'
import { isSettled, type Shortened, type Tally } from '@almoner/domain/notifications'
import type { DeviceId } from '@almoner/domain/people'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { Selectable } from 'kysely'
import { type Asking, type Db, param } from '../database/database.ts'
import { findInLists, insertChunks, paddedInLists } from '../database/writes.ts'
import { presentEpoch } from '../people/audience.ts'
import { removeDevices } from '../people/devices.ts'
import type { BatchRow } from '../schema/delivery.table.ts'
import type { DeviceRow } from '../schema/device.table.ts'
import { recipientsAmong } from './members.ts'
import { keepHealth, lockedOrigin, overrideOf, probesOf } from './origins.ts'
import {
  closeBatch,
  heldBatch,
  keepProgress,
  type LiveDelivery,
  lockedDelivery,
  rangeOf,
  tallyOf,
  withLifeAt,
} from './rows.ts'

/** A recipient, its result, and the effect of it. */
interface SettledRecipient extends ServedRecipient {
  readonly effect: Settled
}

/** What came of settling results. */
interface SettledResults {
  readonly served: ReadonlyArray<SettledRecipient>
  /** Origins that the results have stopped, or that are probed from now on. */
  readonly paused: ReadonlyArray<Pause>
}

const isUnsent = ({ result: { kind } }: ServedRecipient): boolean => kind === 'notSent'

/** Settles results by the health of their origins, which changes. All transactions lock origins in the same order, before any device. */
const settleResults = async (
  asking: Asking,
  { id, notification_id: notificationId }: LiveDelivery,
  served: ReadonlyArray<ServedRecipient>,
  { now, credentials }: Pick<RecordingTime, 'credentials'> & { readonly now: Instant },
): Promise<SettledResults> => {
  const probes = served.some(isUnsent) ? await probesOf(asking.db, id) : new Map()
  const { byOrigin, rest } = groupByOrigin(served, probes)
  const effects = new Map<DeviceId, Settled>(rest.map((effect) => [effect.deviceId, effect]))
  const paused: Array<Pause> = []
  for (const [origin, some] of byOrigin) {
    const provider = providerOf(origin)
    const { health: before } = await lockedOrigin(asking, origin)
    const { health, settled } = settle(before, some, {
      ...{ origin, notificationId, now, credentials: credentials[provider] ?? '' },
      isOverridden: O.isSome(await overrideOf(asking, wholeOf(provider), now)),
    })
    if (health !== before) await keepHealth(asking, origin, health)
    paused.push(...RA.fromOption(newPause(before, health)))
    for (const effect of settled) effects.set(effect.deviceId, effect)
  }
  const withEffect = (one: ServedRecipient): ReadonlyArray<SettledRecipient> => {
    const effect = effects.get(one.recipient.deviceId)
    return effect === undefined ? [] : [{ ...one, effect }]
  }
  return { served: served.flatMap(withEffect), paused }
}

/** Inserts final results into the ledger. */
const keepEnded = async (
  { db, run }: Asking,
  { id }: LiveDelivery,
  served: ReadonlyArray<SettledRecipient>,
  at: Instant,
): Promise<void> => {
  const ended = served.flatMap(({ effect }) => (effect.kind === 'ended' ? [effect] : []))
  for (const block of insertChunks(ended))
    await run(
      db,
      `insert into ledger ("delivery_id", "device_id", "outcome", "at") values ${block.map(() => '(?, ?, ?, ?)').join(', ')}`,
      block.flatMap(({ deviceId, outcome }) => [id, deviceId, outcome, at]),
    )
}

/** Deletes the retries of recipients that have an outcome. */
const endWaiting = async (
  db: Db,
  { id }: LiveDelivery,
  served: ReadonlyArray<SettledRecipient>,
): Promise<void> => {
  const over = served.filter(({ effect }) => effect.kind === 'ended')
  for (const list of paddedInLists(over.map(({ recipient }) => recipient.deviceId)))
    await db.deleteFrom('retry').where('delivery_id', '=', id).where('device_id', 'in', list).execute()
}

/** Returns what a recipient without an outcome waits for; undefined for one that has an outcome. */
const waitingOf = (
  { ends_at }: LiveDelivery,
  { recipient, effect }: SettledRecipient,
  planned_at: Instant,
) => {
  if (effect.kind === 'ended') return undefined
  const refusals = recipient.refusals + Number(effect.isStrike)
  return effect.kind === 'waiting'
    ? { refusals, attempts: recipient.attempts + 1, due_at: effect.at, planned_at, held_for: null }
    : {
        ...{ refusals, attempts: recipient.attempts, planned_at },
        ...{ due_at: heldUntil(ends_at, planned_at), held_for: effect.origin },
      }
}

/** Stores retries with their time, and deferred devices with their origin. */
const keepWaiting = async (
  db: Db,
  delivery: LiveDelivery,
  served: ReadonlyArray<SettledRecipient>,
  now: Instant,
): Promise<void> => {
  const rows = served.flatMap((one) => {
    const waiting = waitingOf(delivery, one, now)
    const { deviceId, email } = one.recipient
    return waiting === undefined
      ? []
      : [{ delivery_id: delivery.id, device_id: deviceId, email, ...waiting, batch: null }]
  })
  for (const block of insertChunks(rows))
    await db
      .insertInto('retry')
      .values(block)
      .onConflict((conflict) =>
        conflict.columns(['delivery_id', 'device_id']).doUpdateSet(({ ref }) => ({
          attempts: ref('excluded.attempts'),
          refusals: ref('excluded.refusals'),
          due_at: ref('excluded.due_at'),
          planned_at: ref('excluded.planned_at'),
          held_for: ref('excluded.held_for'),
          batch: null,
        })),
      )
      .execute()
}

interface Dead {
  readonly email: Email
  readonly attachedAt: Instant
}

/** Those of the devices that are as they were when they were sent to, held still until the transaction ends. */
const unchanged = async (
  db: Db,
  dead: ReadonlyMap<DeviceId, Dead>,
): Promise<ReadonlyArray<Selectable<DeviceRow>>> => {
  const found = await findInLists([...dead.keys()], (list) =>
    db.selectFrom('device').selectAll().where('id', 'in', list).orderBy('id').forUpdate().execute(),
  )
  return found.filter(({ id, email, attached_at }) => {
    const told = dead.get(id)
    return told?.email === email && told.attachedAt === attached_at
  })
}

/**
 * Detaches dead devices, except moved and reattached ones, and keeps them for a restore (G5). Call it after all outcomes are recorded.
 */
const detachDead = async (db: Db, served: ReadonlyArray<SettledRecipient>, at: Instant): Promise<void> => {
  const dead = new Map<DeviceId, Dead>()
  for (const { recipient, result, effect } of served)
    if (result.kind === 'unregistered' && effect.kind === 'ended')
      dead.set(result.deviceId, { email: recipient.email, attachedAt: result.attachedAt })
  if (dead.size === 0) return
  await presentEpoch(db)
  const gone = await unchanged(db, dead)
  const kept = gone.map(({ token_digest, token, email, kind, attached_at }) => {
    return { token_digest, token, email, kind, attached_at, detached_at: at }
  })
  for (const block of insertChunks(kept))
    await db
      .insertInto('dead_device')
      .values(block)
      .onConflict((conflict) =>
        conflict.column('token_digest').doUpdateSet(({ ref }) => ({
          token: ref('excluded.token'),
          email: ref('excluded.email'),
          kind: ref('excluded.kind'),
          attached_at: ref('excluded.attached_at'),
          detached_at: ref('excluded.detached_at'),
        })),
      )
      .execute()
  await removeDevices(
    db,
    gone.map(({ id }) => id),
  )
}

/** Returns the results of recipients in the batch, one for each. */
const servedOf = async (
  asking: Asking,
  delivery: LiveDelivery,
  batch: BatchRow,
  results: ReadonlyArray<DeliveryResult>,
): Promise<ReadonlyArray<ServedRecipient>> => {
  const byDevice = new Map(results.map((result) => [result.deviceId, result]))
  const recipients = await recipientsAmong(asking, delivery, batch, [...byDevice.keys()])
  return [...recipients.values()].flatMap((recipient) => {
    const result = byDevice.get(recipient.deviceId)
    return result === undefined ? [] : [{ recipient, result }]
  })
}

const talliedWith = (before: Tally, served: ReadonlyArray<SettledRecipient>): Tally => {
  const tally = { ...before }
  for (const { effect } of served) if (effect.kind === 'ended') tally[effect.outcome] += 1
  return tally
}

const counted = (db: Db) =>
  db
    .updateTable('delivery')
    .set({
      ...{ delivered: param<number>(0), failed: param<number>(1) },
      ...{ dead: param<number>(2), skipped: param<number>(3) },
    })
    .where('id', '=', param<number>(4))

/** Stores how many recipients ended each way, and when the last of them did. */
const saveTally = async (
  { db, run }: Asking,
  { id }: LiveDelivery,
  tally: Tally,
  finishedAt: Instant | undefined,
): Promise<void> => {
  const { delivered, failed, dead, skipped } = tally
  await run(db, counted, [delivered, failed, dead, skipped, id])
  if (finishedAt === undefined) return
  await db.updateTable('delivery').set({ finished_at: finishedAt, sending: 0 }).where('id', '=', id).execute()
}

/** Counts final results; the delivery is finished once all recipients have one. */
const count = (
  asking: Asking,
  delivery: LiveDelivery,
  served: ReadonlyArray<SettledRecipient>,
  now: Instant,
): Promise<void> => {
  const tally = talliedWith(tallyOf(delivery), served)
  return saveTally(
    asking,
    delivery,
    tally,
    isSettled({ recipients: delivery.recipients, tally }) ? now : undefined,
  )
}

/** Stores what was left out of the message (G6). */
const saveShortened = (db: Db, { id }: LiveDelivery, shortened: Shortened) =>
  db.updateTable('delivery').set({ shortened }).where('id', '=', id).execute()

/** Records results in one transaction (G5). */
export const record = async (
  asking: Asking,
  {
    claim,
    results,
    ...at
  }: RecordingTime & { readonly claim: Claim; readonly results: ReadonlyArray<DeliveryResult> },
): Promise<E.Either<ClaimLost, Recorded>> => {
  const { db } = asking
  const locked = await lockedDelivery(asking, claim.notificationId)
  const batch = locked && (await heldBatch(asking, locked, claim))
  if (locked === undefined || batch === undefined) return E.left(CLAIM_LOST)
  const { now, last, shortened = '' } = at
  const delivery = await withLifeAt(db, locked, now)
  if (shortened !== '' && shortened !== delivery.shortened) await saveShortened(db, delivery, shortened)
  const news = await servedOf(asking, delivery, batch, results)
  const { served, paused } = await settleResults(asking, delivery, news, at)
  await keepEnded(asking, delivery, served, now)
  if (rangeOf(batch) === undefined) await endWaiting(db, delivery, served)
  await keepWaiting(db, delivery, served, now)
  await detachDead(db, served, now)
  if (served.length > 0) await count(asking, delivery, served, now)
  const remaining = batch.remaining - served.length
  // Recipients without a result are claimed again.
  if (last && remaining === 0) await closeBatch(db, delivery, batch.number)
  else {
    const progress = { number: batch.number, remaining, lease_until: last ? null : leaseFrom(now) }
    await keepProgress(asking, delivery, progress)
  }
  const effects = new Map(served.map(({ effect }) => [effect.deviceId, effect]))
  return E.right({
    results: results.map((result) => effects.get(result.deviceId) ?? effectAlone(result)),
    paused,
  })
}

/**
 * Closes a batch whose results cannot be recorded, and counts those left in it as failed (G10). Reads and writes two rows; counts
 * never exceed the recipients, which the table's checks would refuse.
 */
export const setAside = async (
  asking: Asking,
  claim: Claim,
  now: Instant,
): Promise<E.Either<ClaimLost, number>> => {
  const delivery = await lockedDelivery(asking, claim.notificationId)
  const batch = delivery && (await heldBatch(asking, delivery, claim))
  if (delivery === undefined || batch === undefined) return E.left(CLAIM_LOST)
  const { delivered, failed, dead, skipped } = tallyOf(delivery)
  const pending = delivery.recipients - delivered - failed - dead - skipped
  const left = batch.closed === 1 ? 0 : Math.min(batch.remaining, pending)
  const tally = { delivered, failed: failed + left, dead, skipped }
  const isOver = delivery.sending === 1 && isSettled({ recipients: delivery.recipients, tally })
  await saveTally(asking, delivery, tally, isOver ? now : undefined)
  await closeBatch(asking.db, delivery, batch.number)
  return E.right(left)
}
