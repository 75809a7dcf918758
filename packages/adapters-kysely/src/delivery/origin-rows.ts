import type { Instant } from '@almoner/domain'
import { type Eligibility, type Origin, type OriginHealth, overrideAt, type Pause, type Probe, pauseOf, type StoredOrigin } from '@almoner/domain/delivery'
import type { NotificationId } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { ProviderRow } from '../schema/delivery.table.ts'

/** A row, and the notification whose device is its probe. */
type Row = Selectable<ProviderRow> & { readonly notification_id: NotificationId | null }

/** An origin with a pause. */
const hasPause = sql<SqlBool>`provider.paused_since is not null`

const kindOf = ({ paused_until, probes }: Row): Pause['kind'] => {
  if (paused_until === null) return 'stopped'
  return probes > 0 ? 'probed' : 'held'
}

const pauseIn = (row: Row): O.Option<Pause> => {
  const { name: origin, paused_since: since, pause_reason: reason, paused_until, planned_at: planned } = row
  if (since === null || reason === null) return O.none
  const pause = { origin, kind: kindOf(row), reason, since, until: O.fromNullable(paused_until) }
  return O.some({ ...pause, ...(planned !== null && { planned }) })
}

const probeIn = ({ notification_id, probe_device: deviceId, probe_at: at }: Row): O.Option<Probe> =>
  notification_id === null || deviceId === null || at === null
    ? O.none
    : O.some({ notificationId: notification_id, deviceId, at })

const overrideIn = ({
  override_until,
  override_since: overrideSince,
}: Pick<Row, 'override_until' | 'override_since'>) => ({
  overrideUntil: O.fromNullable(override_until),
  ...(overrideSince !== null && { overrideSince }),
})

const storedIn = (row: Row): StoredOrigin => ({
  origin: row.name,
  health: {
    sampleWindow: { responses: row.answers, unregistered: row.dead },
    before: { responses: row.answers_before, unregistered: row.dead_before },
    pause: pauseIn(row),
    probe: probeIn(row),
    probes: row.probes,
    unanswered: row.unanswered,
    refusals: row.refusals,
    backoffs: row.backoffs,
    accepted: O.map((at: Instant) => ({ at, credentials: row.accepted_with ?? '' }))(
      O.fromNullable(row.accepted_at),
    ),
  },
  ...overrideIn(row),
})

const rows = (db: Db) =>
  db
    .selectFrom('provider')
    .leftJoin('delivery', 'delivery.id', 'provider.probe_delivery')
    .selectAll('provider')
    .select('delivery.notification_id')

/** Returns the stored health of all origins. */
export const storedOrigins = async (db: Db): Promise<ReadonlyArray<StoredOrigin>> =>
  (await rows(db).execute()).map(storedIn)

/** Returns the origins that are closed, each with the device of this notification that is its probe. */
export const closedIn = async (
  db: Db,
  notificationId: NotificationId,
  now: Instant,
): Promise<Eligibility['closed']> => {
  const stored = (await rows(db).where(hasPause).execute()).map(storedIn)
  const isOfIt = (probe: Probe) => probe.notificationId === notificationId
  return new Map(
    stored.flatMap(({ origin, health }) => {
      const probe = O.map(({ deviceId }: Probe) => deviceId)(O.filter(isOfIt)(health.probe))
      return RA.fromOption(pauseOf(health, now)).map(({ kind }) => [origin, { kind, probe }] as const)
    }),
  )
}

/** Returns the origins with a device of a delivery as their probe. */
export const probesOf = async (db: Db, deliveryId: number) => {
  const found = await db
    .selectFrom('provider')
    .select(['name', 'probe_device'])
    .where('probe_delivery', '=', deliveryId)
    .execute()
  return new Map(
    found.flatMap(({ name, probe_device }) => (probe_device === null ? [] : [[probe_device, name] as const])),
  )
}

/** Returns until when an origin's provider is overridden, if it is. That stands with the provider as a whole. */
export const overrideOf = async (db: Db, whole: Origin, now: Instant): Promise<O.Option<Instant>> => {
  const row = await db
    .selectFrom('provider')
    .select(['override_until', 'override_since'])
    .where('name', '=', whole)
    .executeTakeFirst()
  return row === undefined ? O.none : overrideAt(overrideIn(row), now)
}

/** Adds the row of an origin that has not been sent to. */
const addOrigin = (db: Db, name: Origin) =>
  db
    .insertInto('provider')
    .values({
      ...{ name, answers: 0, dead: 0, answers_before: 0, dead_before: 0 },
      ...{ paused_since: null, pause_reason: null, paused_until: null, planned_at: null },
      ...{ override_until: null, override_since: null },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Returns the stored health of an origin, held still until the transaction ends. Transactions lock origins in the order of their names. */
export const lockedOrigin = async (db: Db, origin: Origin): Promise<StoredOrigin> => {
  const locked = () => rows(db).where('provider.name', '=', origin).forNoKeyUpdate('provider')
  const row = await locked().executeTakeFirst()
  if (row !== undefined) return storedIn(row)
  await addOrigin(db, origin)
  return storedIn(await locked().executeTakeFirstOrThrow())
}

const probeColumns = async (db: Db, probe: O.Option<Probe>) => {
  if (O.isNone(probe)) return { probe_delivery: null, probe_device: null, probe_at: null }
  const { notificationId, deviceId, at } = probe.value
  const delivery = await db
    .selectFrom('delivery')
    .select('id')
    .where('notification_id', '=', notificationId)
    .executeTakeFirst()
  return { probe_delivery: delivery?.id ?? null, probe_device: deviceId, probe_at: at }
}

/** Stores the health of an origin. */
export const keepHealth = async (db: Db, origin: Origin, health: OriginHealth): Promise<void> => {
  const { sampleWindow, before, unanswered, refusals, backoffs, probes } = health
  const [paused, accepted] = [O.toUndefined(health.pause), O.toUndefined(health.accepted)]
  await db
    .updateTable('provider')
    .set({
      answers: sampleWindow.responses,
      dead: sampleWindow.unregistered,
      answers_before: before.responses,
      dead_before: before.unregistered,
      paused_since: paused?.since ?? null,
      pause_reason: paused?.reason ?? null,
      paused_until: paused === undefined ? null : O.toNullable(paused.until),
      planned_at: paused?.planned ?? null,
      ...{ unanswered, refusals, backoffs, probes },
      ...(await probeColumns(db, health.probe)),
      accepted_at: accepted?.at ?? null,
      accepted_with: accepted?.credentials ?? null,
    })
    .where('name', '=', origin)
    .execute()
}

/** Stores until when reports of a provider are accepted, and since when. */
export const keepOverride = async (
  db: Db,
  { origin, overrideUntil, overrideSince }: StoredOrigin,
): Promise<void> => {
  await db
    .updateTable('provider')
    .set({ override_until: O.toNullable(overrideUntil), override_since: overrideSince ?? null })
    .where('name', '=', origin)
    .execute()
}
