import {
  type Instant,
  PROVIDERS,
  type Provider,
  type ProviderHealth,
  type ProviderState,
  pausesAmong,
  stateOf,
} from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { Db } from '../../database/database.ts'
import type { ProviderRow } from '../../schema/delivery.table.ts'

const pauseIn = ({ name, paused_since: since, pause_reason: reason, paused_until }: ProviderRow) =>
  since === null || reason === null
    ? O.none
    : O.some({ provider: name, reason, since, until: O.fromNullable(paused_until) })

const healthOf = (row: ProviderRow): ProviderHealth => ({
  sampleWindow: { answers: row.answers, dead: row.dead },
  before: { answers: row.answers_before, dead: row.dead_before },
  pause: pauseIn(row),
  overrideUntil: O.fromNullable(row.override_until),
})

/** A provider's health, held still until the transaction ends. */
export const lockedHealth = async (db: Db, provider: Provider): Promise<ProviderHealth> => {
  const row = await db
    .selectFrom('provider')
    .selectAll()
    .where('name', '=', provider)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return healthOf(row)
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
      answers: sampleWindow.answers,
      dead: sampleWindow.dead,
      answers_before: before.answers,
      dead_before: before.dead,
      paused_since: paused?.since ?? null,
      pause_reason: paused?.reason ?? null,
      paused_until: paused === undefined ? null : O.toNullable(paused.until),
      override_until: O.toNullable(overrideUntil),
    })
    .where('name', '=', provider)
    .execute()
}

/** What is in force for each provider, in their order. */
export const statesIn = async (db: Db, now: Instant): Promise<ReadonlyArray<ProviderState>> => {
  const rows = await db.selectFrom('provider').selectAll().execute()
  const states = rows.map((row) => stateOf(row.name, healthOf(row), now))
  return PROVIDERS.flatMap((provider) => states.filter((state) => state.provider === provider))
}

/** Whom nothing is to be sent by now. */
export const pausedIn = async (db: Db, now: Instant): Promise<ReadonlySet<Provider>> =>
  new Set(pausesAmong(await statesIn(db, now)).map(({ provider }) => provider))
