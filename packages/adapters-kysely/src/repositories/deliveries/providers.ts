import type { Instant } from '@almoner/domain'
import type { TimedAct } from '@almoner/domain/history'
import {
  type DeliveryResult,
  inProviderOrder,
  operatorPause,
  type Pause,
  type Provider,
  type ProviderHealth,
  type ProviderState,
  pausedHealth,
  pauseOf,
  pausesAmong,
  providerChanges,
  resumedHealth,
  samplesOf,
  stateOf,
  updateHealth,
} from '@almoner/domain/notifications'
import type { Providers } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Selectable } from 'kysely'
import type { Database, Db } from '../../database/database.ts'
import type { ProviderRow } from '../../schema/delivery.table.ts'
import { recordAct } from '../history/record-act.ts'

type Row = Selectable<ProviderRow>

const pauseIn = ({ name, paused_since: since, pause_reason: reason, paused_until }: Row) =>
  since === null || reason === null
    ? O.none
    : O.some({ provider: name, reason, since, until: O.fromNullable(paused_until) })

const healthOf = (row: Row): ProviderHealth => ({
  sampleWindow: { responses: row.answers, unregistered: row.dead },
  before: { responses: row.answers_before, unregistered: row.dead_before },
  pause: pauseIn(row),
  overrideUntil: O.fromNullable(row.override_until),
})

const lockedRow = (db: Db, provider: Provider) =>
  db.selectFrom('provider').selectAll().where('name', '=', provider).forNoKeyUpdate()

/** Adds the row of a provider that a host has added. */
const addProvider = (db: Db, name: Provider) =>
  db
    .insertInto('provider')
    .values({
      name,
      answers: 0,
      dead: 0,
      answers_before: 0,
      dead_before: 0,
      paused_since: null,
      pause_reason: null,
      paused_until: null,
      override_until: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** A provider's health, held still until the transaction ends. */
export const lockedHealth = async (db: Db, provider: Provider): Promise<ProviderHealth> => {
  const row = await lockedRow(db, provider).executeTakeFirst()
  if (row !== undefined) return healthOf(row)
  await addProvider(db, provider)
  return healthOf(await lockedRow(db, provider).executeTakeFirstOrThrow())
}

/** Writes a provider's health down. */
export const keepHealth = async (
  db: Db,
  provider: Provider,
  { sampleWindow, before, pause, overrideUntil }: ProviderHealth,
): Promise<void> => {
  const paused = O.toUndefined(pause)
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
      override_until: O.toNullable(overrideUntil),
    })
    .where('name', '=', provider)
    .execute()
}

/** Returns the state of each provider, in their order. */
export const statesIn = async (db: Db, now: Instant): Promise<ReadonlyArray<ProviderState>> => {
  const rows = await db.selectFrom('provider').selectAll().execute()
  const states = rows.map((row) => stateOf(row.name, healthOf(row), now))
  const order = inProviderOrder(rows.map(({ name }) => name))
  return order.flatMap((provider) => states.filter((state) => state.provider === provider))
}

/** Whom nothing is to be sent by now. */
export const pausedIn = async (db: Db, now: Instant): Promise<ReadonlySet<Provider>> =>
  new Set(pausesAmong(await statesIn(db, now)).map(({ provider }) => provider))

/** Records the samples of the providers that responded. */
export interface RecordedHealth {
  /** The newly paused providers. */
  readonly news: ReadonlyArray<Pause>
  /** All paused providers. */
  readonly paused: ReadonlySet<Provider>
}

/** Updates the health of providers. All transactions lock their rows in the same order, before any device. */
export const recordHealth = async (
  db: Db,
  results: ReadonlyArray<DeliveryResult>,
  now: Instant,
): Promise<RecordedHealth> => {
  const news: Array<Pause> = []
  const paused = new Set<Provider>()
  for (const sample of samplesOf(results)) {
    const before = await lockedHealth(db, sample.provider)
    const after = updateHealth(before, sample, now)
    if (after !== before) await keepHealth(db, sample.provider, after)
    if (O.isSome(after.pause) && after.pause !== before.pause) news.push(after.pause.value)
    if (O.isSome(pauseOf(after, now))) paused.add(sample.provider)
  }
  return { news, paused }
}

/** Changes a provider's health, and records the act if its state differs (K1). */
const changeHealth = async (
  db: Db,
  provider: Provider,
  now: Instant,
  change: (health: ProviderHealth) => ProviderHealth,
  act: TimedAct | undefined,
) => {
  const before = await lockedHealth(db, provider)
  const after = change(before)
  await keepHealth(db, provider, after)
  const changes = providerChanges(stateOf(provider, before, now), stateOf(provider, after, now))
  if (changes.length > 0) await recordAct(db, act, { kind: 'provider', id: provider }, changes)
  return { before, after }
}

/** The health of providers, shared by every process on the same database (G5). */
export const makeProviders = (database: Database): Providers => ({
  states: (now) => database.read((db) => statesIn(db, now)),
  pause: (provider, now, act) =>
    database.write(async (db): Promise<E.Either<never, Pause>> => {
      const paused = (health: ProviderHealth) => pausedHealth(health, provider, now)
      const { after } = await changeHealth(db, provider, now, paused, act)
      return E.right(O.getOrElse(() => operatorPause(provider, now))(pauseOf(after, now)))
    }),
  resume: (provider, { now, overrideUntil }, act) =>
    database.write(async (db): Promise<E.Either<never, O.Option<Pause>>> => {
      const resumed = (health: ProviderHealth) => resumedHealth(health, { now, overrideUntil })
      const { before } = await changeHealth(db, provider, now, resumed, act)
      return E.right(pauseOf(before, now))
    }),
})
