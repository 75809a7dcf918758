import type { Instant } from '@almoner/domain'
import {
  isAhead,
  type Origin,
  type Pause,
  pauseOf,
  pauseOfAll,
  providerOf,
  type ReleaseRequest,
  SCATTER,
  type StoredOrigin,
  unknownOrigin,
  whileProbing,
  wholeOf,
} from '@almoner/domain/delivery'
import type { Deliveries } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import {
  type Asking,
  attempt,
  type Database,
  type Db,
  orThrow,
  type QueryCache,
} from '../database/database.ts'
import { quietly } from '../database/writes.ts'
import { isOpen } from '../people/audience.ts'
import { keepHealth, lockedOrigin, storedOrigins } from './origins.ts'
import { lockedDelivery } from './rows.ts'

/** The most deferred devices of an origin that one call releases. */
const MOST = 1000

/** Devices of a delivery among which a probe is picked at most, so that counting them takes little time. */
const PICKED_AMONG = 100_000

/** The origins that devices of any delivery wait for, each found by one step through an index. */
async function* heldOrigins(db: Db): AsyncGenerator<Origin> {
  let last = '' as Origin
  for (;;) {
    const row = await db
      .selectFrom('retry')
      .select(({ ref }) => ref('held_for').$notNull().as('origin'))
      .where('held_for', '>', last)
      .orderBy('held_for')
      .limit(1)
      .executeTakeFirst()
    if (row === undefined) return
    last = row.origin
    yield last
  }
}

/** The running deliveries with devices that wait for an origin, in alternating order. */
const awaiting = (db: Db, origin: Origin) =>
  db
    .selectFrom('delivery')
    .where(isOpen)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('retry')
          .select('device_id')
          .where('held_for', '=', origin)
          .whereRef('retry.delivery_id', '=', 'delivery.id'),
      ),
    )
    .select(({ ref }) => ['delivery.id', ref('delivery.notification_id').$notNull().as('notificationId')])
    .orderBy('delivery.last_turn')
    .orderBy('delivery.id')

/** An origin that devices of a running delivery wait for. */
interface Awaited extends StoredOrigin {
  /** The pause of all servers of its provider. */
  readonly ofAll: O.Option<Pause>
}

/** Returns the origins that devices of running deliveries wait for. */
export const awaitedOrigins = async (db: Db): Promise<ReadonlyArray<Awaited>> => {
  const all = new Map((await storedOrigins(db)).map((stored) => [stored.origin, stored]))
  const found: Array<Awaited> = []
  for await (const origin of heldOrigins(db)) {
    const some = await awaiting(db, origin).limit(1).executeTakeFirst()
    const ofAll = pauseOfAll((all.get(wholeOf(providerOf(origin))) ?? unknownOrigin(origin)).health)
    if (some !== undefined) found.push({ ...(all.get(origin) ?? unknownOrigin(origin)), ofAll })
  }
  return found
}

/** What may be done for an origin: devices go on, one of them is sent to as a probe, or nothing yet. */
const stepFor = (
  { health }: Pick<StoredOrigin, 'health'>,
  { now }: ReleaseRequest,
): 'open' | 'probe' | 'wait' => {
  const pause = O.toUndefined(pauseOf(health, now))
  if (pause === undefined) return 'open'
  return pause.kind === 'probed' && !isAhead(pause, now) ? 'probe' : 'wait'
}

/** Makes some devices of one delivery due, mixed by their numbers (`scatter`). Returns how many. */
const releaseSome = async (
  db: Db,
  deliveryId: number,
  origin: Origin,
  { now, room }: ReleaseRequest,
): Promise<number> => {
  const theirs = { delivery_id: deliveryId, held_for: origin }
  const rows = await db
    .selectFrom('retry')
    .select('device_id')
    .where('delivery_id', '=', theirs.delivery_id)
    .where('held_for', '=', theirs.held_for)
    .orderBy('device_id')
    .limit(Math.min(MOST, room(origin)))
    .execute()
  const last = rows.at(-1)
  if (last === undefined) return 0
  const { factor, spread } = SCATTER
  await db
    .updateTable('retry')
    .set({
      due_at: sql<Instant>`${now} - (device_id * ${factor}) % ${spread}`,
      planned_at: now,
      held_for: null,
    })
    .where('delivery_id', '=', theirs.delivery_id)
    .where('held_for', '=', theirs.held_for)
    .where('device_id', '<=', last.device_id)
    .execute()
  return rows.length
}

/** Returns how many devices of each delivery wait for an origin, up to a limit. */
const countHeld = async (db: Db, origin: Origin) => {
  const deliveries = await awaiting(db, origin).execute()
  const counted = []
  for (const delivery of deliveries) {
    const some = db
      .selectFrom('retry')
      .select('device_id')
      .where('held_for', '=', origin)
      .where('delivery_id', '=', delivery.id)
      .limit(PICKED_AMONG)
    const { count } = await db
      .selectFrom(some.as('some'))
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    counted.push({ ...delivery, count: Number(count) })
  }
  return counted
}

/** Returns the device at a place among all that wait for an origin. */
const pick = async (db: Db, origin: Origin, fraction: number) => {
  const counted = await countHeld(db, origin)
  let place = Math.floor(fraction * counted.reduce((sum, { count }) => sum + count, 0))
  for (const { id, notificationId, count } of counted) {
    if (place < count) {
      const row = await db
        .selectFrom('retry')
        .select('device_id')
        .where('held_for', '=', origin)
        .where('delivery_id', '=', id)
        .orderBy('device_id')
        .limit(1)
        .offset(place)
        .executeTakeFirst()
      return row && { id, notificationId, deviceId: row.device_id }
    }
    place -= count
  }
  return undefined
}

/** Sends to one of the devices as a probe, unless another process has just done so. */
const probe = async (asking: Asking, origin: Origin, request: ReleaseRequest): Promise<number> => {
  const { db } = asking
  const picked = await pick(db, origin, request.fraction)
  const delivery = picked && (await lockedDelivery(asking, picked.notificationId))
  if (picked === undefined || delivery === undefined) return 0
  const { health } = await lockedOrigin(asking, origin)
  if (stepFor({ health }, request) !== 'probe') return 0
  const { notificationId, deviceId } = picked
  await keepHealth(asking, origin, whileProbing(health, { notificationId, deviceId, at: request.now }))
  const { numUpdatedRows } = await db
    .updateTable('retry')
    .set({ due_at: request.now, planned_at: request.now, held_for: null })
    .where('delivery_id', '=', delivery.id)
    .where('device_id', '=', deviceId)
    .where('held_for', '=', origin)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Releases devices of one delivery, the one whose turn it is. */
const open = async (asking: Asking, origin: Origin, request: ReleaseRequest): Promise<number> => {
  const { db } = asking
  const first = await awaiting(db, origin).limit(1).executeTakeFirst()
  const delivery = first && (await lockedDelivery(asking, first.notificationId))
  return delivery === undefined ? 0 : releaseSome(db, delivery.id, origin, request)
}

const STEPS = { open, probe }

/**
 * Releases devices that wait for their origins. Nothing is locked where none may go on; each origin is a transaction, so that others do not wait
 * long.
 */
export const makeRelease = (database: Database, run: QueryCache): Deliveries['releaseDeferred'] => {
  const releaseAll = async (request: ReleaseRequest): Promise<number> => {
    const { by, room } = request
    const isOurs = ({ origin, ofAll }: Awaited): boolean => by.includes(providerOf(origin)) && O.isNone(ofAll)
    let released = 0
    for (const awaited of (await orThrow(database.read(awaitedOrigins))).filter(isOurs)) {
      const { origin } = awaited
      const step = stepFor(awaited, request)
      if (step === 'wait' || (step === 'open' && room(origin) < 1)) continue
      released += await orThrow(quietly(database, (db) => STEPS[step]({ db, run }, origin, request)))
    }
    return released
  }
  return (request) => attempt(async () => E.right(await releaseAll(request)))
}
