import type { Instant } from '@almoner/domain'
import type { TimedAct } from '@almoner/domain/access'
import {
  type Eligibility,
  NEW_HEALTH,
  type Origin,
  type OriginHealth,
  overrideAt,
  type Pause,
  type Probe,
  pausedHealth,
  pauseOf,
  providerChanges,
  providerOf,
  type StoredOrigin,
  statesOf,
  wholeOf,
} from '@almoner/domain/delivery'
import type { Provider } from '@almoner/domain/people'
import type { Providers } from '@almoner/domain/ports'
import type { NotificationId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { type Selectable, type SqlBool, sql } from 'kysely'
import { type Asking, type Database, type Db, param, queryCache } from '../database/database.ts'
import { recordAct } from '../history.ts'
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

const paused = (db: Db) => rows(db).where(hasPause)

/** Returns the origins that are closed, each with the device of this notification that is its probe. */
export const closedIn = async (
  { db, run }: Asking,
  notificationId: NotificationId,
  now: Instant,
): Promise<Eligibility['closed']> => {
  const stored = (await run(db, paused, [])).map(storedIn)
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

const overridden = (db: Db) =>
  db.selectFrom('provider').select(['override_until', 'override_since']).where('name', '=', param<Origin>(0))

/** Returns until when an origin's provider is overridden, if it is. That stands with the provider as a whole. */
export const overrideOf = async (
  { db, run }: Asking,
  whole: Origin,
  now: Instant,
): Promise<O.Option<Instant>> => {
  const [row] = await run(db, overridden, [whole])
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

const locked = (db: Db) => rows(db).where('provider.name', '=', param<Origin>(0)).forNoKeyUpdate('provider')

/** Returns the stored health of an origin, held still until the transaction ends. Transactions lock origins in the order of their names. */
export const lockedOrigin = async (asking: Asking, origin: Origin): Promise<StoredOrigin> => {
  const { db, run } = asking
  const [row] = await run(db, locked, [origin])
  if (row !== undefined) return storedIn(row)
  await addOrigin(db, origin)
  return lockedOrigin(asking, origin)
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

const HEALTH = [
  ...(['answers', 'dead', 'answers_before', 'dead_before', 'unanswered', 'refusals', 'backoffs'] as const),
  ...(['paused_since', 'pause_reason', 'paused_until', 'planned_at'] as const),
  ...(['probes', 'probe_delivery', 'probe_device', 'probe_at', 'accepted_at', 'accepted_with'] as const),
] as const

const KEEP_HEALTH = `update provider set ${HEALTH.map((column) => `"${column}" = ?`).join(', ')} where name = ?`

/** Stores the health of an origin. */
export const keepHealth = async (
  { db, run }: Asking,
  origin: Origin,
  health: OriginHealth,
): Promise<void> => {
  const { sampleWindow, before, unanswered, refusals, backoffs, probes } = health
  const [paused, accepted] = [O.toUndefined(health.pause), O.toUndefined(health.accepted)]
  const row: Pick<Row, (typeof HEALTH)[number]> = {
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
  }
  await run(db, KEEP_HEALTH, [...HEALTH.map((column) => row[column]), origin])
}

/** Stores until when reports of a provider are accepted, and since when. */
const keepOverride = async (
  db: Db,
  { origin, overrideUntil, overrideSince }: StoredOrigin,
): Promise<void> => {
  await db
    .updateTable('provider')
    .set({ override_until: O.toNullable(overrideUntil), override_since: overrideSince ?? null })
    .where('name', '=', origin)
    .execute()
}

/** Returns a provider as a whole and its origins, in the order in which their rows are locked. */
const originsOf = async (db: Db, provider: Provider): Promise<ReadonlyArray<Origin>> => {
  const stored = await storedOrigins(db)
  const theirs = stored.map(({ origin }) => origin).filter((origin) => providerOf(origin) === provider)
  return [...new Set([wholeOf(provider), ...theirs])].sort()
}

/** Changes the stored health of a provider's origins, and records the act if the state of the provider differs (K1). */
const changeProvider = async (
  asking: Asking,
  provider: Provider,
  change: (stored: StoredOrigin) => StoredOrigin,
  { now, act }: { readonly now: Instant; readonly act: TimedAct | undefined },
) => {
  const { db } = asking
  const before: Array<StoredOrigin> = []
  for (const origin of await originsOf(db, provider)) before.push(await lockedOrigin(asking, origin))
  const after = before.map(change)
  for (const stored of after) {
    await keepHealth(asking, stored.origin, stored.health)
    await keepOverride(db, stored)
  }
  const [was, is] = [before, after].map((stored) =>
    statesOf(stored, now).find((state) => state.provider === provider),
  )
  const changes = was && is ? providerChanges(was, is) : []
  if (changes.length > 0) await recordAct(db, act, { kind: 'provider', id: provider }, changes)
  return { was, after }
}

/** The health of providers, shared by every process on the same database (G5, G15). */
export const makeProviders = (database: Database): Providers => {
  const run = queryCache()
  return {
    states: (now) => database.read(async (db) => statesOf(await storedOrigins(db), now)),
    pause: (provider, now, act) =>
      database.write(async (db): Promise<E.Either<never, Pause>> => {
        const isWhole = ({ origin }: StoredOrigin) => origin === wholeOf(provider)
        const change = (stored: StoredOrigin): StoredOrigin =>
          isWhole(stored) ? { ...stored, health: pausedHealth(stored.health, provider, now) } : stored
        const { after } = await changeProvider({ db, run }, provider, change, { now, act })
        // The change has just set it.
        return E.right(O.toNullable(after.find(isWhole)?.health.pause ?? O.none) as Pause)
      }),
    resume: (provider, { now, overrideUntil }, act) =>
      database.write(async (db): Promise<E.Either<never, ReadonlyArray<Pause>>> => {
        const change = ({ origin }: StoredOrigin): StoredOrigin => ({
          ...{ origin, health: NEW_HEALTH },
          ...(origin === wholeOf(provider)
            ? { overrideUntil, overrideSince: now }
            : { overrideUntil: O.none }),
        })
        const { was } = await changeProvider({ db, run }, provider, change, { now, act })
        return E.right(was === undefined ? [] : [...RA.fromOption(was.pause), ...was.origins])
      }),
  }
}
