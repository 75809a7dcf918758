import type { ClientId, Instant } from '@almoner/domain'
import type { IdempotencyKey } from '@almoner/domain/access'
import { type DeviceToken, deviceKeys, recognise } from '@almoner/domain/people'
import { sql } from 'kysely'
import type { Db, SqlDialect } from '../../database/database.ts'
import { identityDigest, tokenDigest } from '../device.table.ts'
import { composeIds } from './compose-ids.ts'
import { mergeDevices } from './merge-devices.ts'
import { mergeAddresses } from './merge-people.ts'

/** The migrations of the two unreleased states that are adopted (ADR 53): the older state has had these, the newer one {@link LATER} too. */
const EARLIER: ReadonlyArray<string> = [
  ...['0017-initial', '0018-plain-names', '0019-search', '0020-personal-data', '0022-console'],
  ...['0023-translation', '0024-history', '0025-working-copies', '0026-passkeys', '0027-client-use'],
  ...['0028-manager-time-zone', '0029-audit', '0030-identities', '0031-passwords', '0032-audit-filters'],
]

const LATER: ReadonlyArray<string> = [
  ...['0033-wrong-codes', '0034-response-tokens', '0035-one-address', '0036-portfolio-key', '0037-origins'],
  ...['0038-composed-ids', '0040-lives', '0041-planned'],
]

/** The histories of the unreleased states, the older one first. */
export const UNRELEASED: ReadonlyArray<ReadonlyArray<string>> = [EARLIER, [...EARLIER, ...LATER]]

/** Whether a list of migrations, in order, is the history of an unreleased state. */
export const isUnreleased = (applied: ReadonlyArray<string>): boolean =>
  UNRELEASED.some((names) => names.join() === applied.join())

/** What the newer state has and the older one lacks. */
const additions = ({ text, integer, keyedOptions, primaryKey }: SqlDialect): ReadonlyArray<string> => [
  `create table wrong_code (
    email ${text} not null primary key,
    moments ${text} not null
  ) ${keyedOptions}`,
  `alter table idempotency_key add column token_digest ${text}`,
  'create index idempotency_key_token on idempotency_key (token_digest) where token_digest is not null',
  ...primaryKey('portfolio', 'name'),
  ...['unanswered', 'refusals', 'backoffs', 'probes'].map(
    (count) => `alter table provider add column ${count} ${integer} not null default 0 check (${count} >= 0)`,
  ),
  ...['probe_at', 'probe_delivery', 'probe_device', 'accepted_at'].map(
    (column) => `alter table provider add column ${column} ${integer}`,
  ),
  `alter table provider add column accepted_with ${text}`,
  `alter table retry add column refusals ${integer} not null default 0 check (refusals >= 0)`,
  `alter table delivery add column shortened ${text} not null default ''`,
  // Devices waited for the provider as a whole; now they wait for their origin.
  `update retry set held_for = null, due_at = 0 where held_for = 'webpush'`,
  `create table unfinished_erasure (digest ${text} not null primary key) ${keyedOptions}`,
  `alter table access_token add column life ${integer}`,
  `alter table one_time_secret add column life ${integer}`,
  `alter table retry add column planned_at ${integer}`,
  'create index retry_planned on retry (delivery_id, planned_at, device_id) where batch is null',
  `alter table provider add column planned_at ${integer}`,
  `alter table provider add column override_since ${integer}`,
  `alter table delivery add column counted_from ${integer}`,
  `alter table client_secret add column life ${integer}`,
]

/** Names that both states have from before tables were renamed. */
const renames = ({ constraintNames }: SqlDialect): ReadonlyArray<string> => [
  'drop index portion_open',
  'create index batch_open on batch (delivery_id, closed, number)',
  'drop index retry_portion',
  'create index retry_batch on retry (delivery_id, batch, device_id) where batch is not null',
  ...constraintNames,
]

/** Responses that are read at a time. */
const SOME = 500

/** Matches the response to an attachment; others hold no token. */
const ATTACHED = /^\{"token":\{/

/** Returns the device token that a response holds. */
const tokenIn = (body: string): DeviceToken | undefined => {
  if (!ATTACHED.test(body)) return undefined
  const { token } = JSON.parse(body) as { readonly token: { readonly device_token?: DeviceToken } }
  return token.device_token
}

/** Returns a digest by which an erasure looks for a device: of its identity or, where only the default of a deployment gave a kind, of its text. */
const digestOf = (token: DeviceToken): string => {
  const destination = recognise(token)
  return destination === undefined
    ? tokenDigest(token)
    : identityDigest(deviceKeys({ token, kind: destination.provider }).identity)
}

type Key = readonly [ClientId, IdempotencyKey]

const responsesBehind = (db: Db, last: Key | undefined) =>
  db
    .selectFrom('idempotency_key')
    .select(['client_id', 'key', 'body'])
    .where('email', 'is not', null)
    .$if(last !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('client_id', 'key'), '>', tuple(...(last as Key))),
      ),
    )
    .orderBy('client_id')
    .orderBy('key')
    .limit(SOME)
    .execute()

/** Records the devices whose tokens stored responses hold, so that an erasure finds them (L1). */
const digestResponses = async (db: Db): Promise<void> => {
  let rows = await responsesBehind(db, undefined)
  for (let last: Key | undefined; rows.length > 0; rows = await responsesBehind(db, last))
    for (const { client_id, key, body } of rows) {
      last = [client_id, key]
      const token = tokenIn(body)
      if (token === undefined) continue
      await db
        .updateTable('idempotency_key')
        .set({ token_digest: digestOf(token) })
        .where('client_id', '=', client_id)
        .where('key', '=', key)
        .execute()
    }
}

/**
 * Gives a database of an unreleased state the schema of `0001-initial`, and its rows the form of today: one user for each address (F1), one device
 * for each destination (F4), composed identifiers (H5). Deletes the record of its migrations.
 * @returns when the first of them was applied, by which the image storage knows the database (D6)
 */
export const adopt = async (
  db: Db,
  dialect: SqlDialect,
  applied: ReadonlyArray<string>,
): Promise<Instant> => {
  const isOlder = applied.length === EARLIER.length
  for (const statement of [...(isOlder ? additions(dialect) : []), ...renames(dialect)])
    await sql.raw(statement).execute(db)
  if (isOlder) await digestResponses(db)
  await mergeAddresses(db)
  await mergeDevices(db)
  for (const [contentType, ids] of await composeIds(db))
    for (const id of ids) await dialect.search.relabel(db, contentType, id)
  const first = db.selectFrom('schema_migrations').select('applied_at').orderBy('name').limit(1)
  const { applied_at } = await first.executeTakeFirstOrThrow()
  await db.deleteFrom('schema_migrations').execute()
  return applied_at
}
