import type { SqlDialect } from '../../database/database.ts'
import { content, portfolio } from './0001-initial/content.ts'
import { managers, people } from './0001-initial/people.ts'
import { delivery, notifications } from './0001-initial/sending.ts'
import type { Migration } from './migration.ts'

/** Clients with the digests of their secrets and tokens (A1, A6), and their idempotency keys (I4). */
const access = ({ text, integer, tableOptions, keyedOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table client (
    id ${text} not null primary key,
    name ${text} not null,
    scopes ${text} not null,
    roles ${text} not null,
    email ${text},
    disabled ${integer} not null check (disabled in (0, 1))
  ) ${tableOptions}`,
  `create table client_secret (
    client_id ${text} not null references client (id),
    seq ${integer} not null,
    hash ${text} not null,
    until ${integer},
    life ${integer},
    primary key (client_id, seq)
  ) ${tableOptions}`,
  // A separate table, so that a use never waits for a change of the client.
  `create table client_use (
    client_id ${text} not null primary key references client (id),
    used_at ${integer} not null
  ) ${tableOptions}`,
  `create table access_token (
    digest ${text} not null primary key,
    client_id ${text} not null references client (id),
    scopes ${text} not null,
    expires_at ${integer} not null,
    life ${integer}
  ) ${tableOptions}`,
  'create index access_token_expires_at on access_token (expires_at)',
  `create table idempotency_key (
    client_id ${text} not null,
    key ${text} not null,
    digest ${text} not null,
    used_at ${integer} not null,
    email ${text},
    status ${integer} not null,
    content_type ${text},
    etag ${text},
    body ${text} not null,
    token_digest ${text},
    primary key (client_id, key)
  ) ${keyedOptions}`,
  'create index idempotency_key_used on idempotency_key (used_at)',
  'create index idempotency_key_email on idempotency_key (email) where email is not null',
  'create index idempotency_key_token on idempotency_key (token_digest) where token_digest is not null',
]

/**
 * The records of changes (K1 to K3). A page of the audit by time, actor or action reads its rows alone (K4): each index has the column that
 * the other one filters by.
 */
const history = ({ text, integer, rowNumber, identity, tableOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table audit_record (
    id ${rowNumber},
    at ${integer} not null,
    actor_kind ${text} not null,
    actor_id ${text} not null,
    action ${text} not null,
    subject_kind ${text} not null,
    subject_id ${text} not null,
    number ${integer},
    is_latest ${integer} not null check (is_latest in (0, 1)),
    changes ${text},
    state ${text},
    check (changes is not null or state is not null),
    check ((number is null) = (state is null)),
    check (number is not null or is_latest = 0)
  ) ${tableOptions}`,
  'create index audit_record_subject on audit_record (subject_id, number)',
  'create index audit_record_expiring on audit_record (at, id) where is_latest = 0',
  'create index audit_record_at on audit_record (at, id)',
  'create index audit_record_actor on audit_record (actor_id, at, id, action)',
  'create index audit_record_action on audit_record (action, at, id, actor_id)',
  `create table user_number (
    id ${identity},
    email ${text} not null unique
  ) ${tableOptions}`,
]

/**
 * The servers on the database with their common settings as JSON, the identity of the image storage (D6), and digests of people whose erasure
 * left remains in the files of the database (L1).
 */
const operations = ({ text, integer, keyedOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table node (
    id ${text} not null primary key,
    name ${text} not null,
    last_seen_at ${integer} not null,
    settings ${text} not null
  ) ${keyedOptions}`,
  `create table storage_identity (
    one ${integer} not null primary key check (one = 1),
    id ${text},
    sweep_refusal ${text}
  ) ${keyedOptions}`,
  `create table unfinished_erasure (digest ${text} not null primary key) ${keyedOptions}`,
]

/** The first schema, by area. Languages and providers are checked by the domain alone: one more of them is no change of the schema. */
export const initial: Migration = {
  name: '0001-initial',
  statements: (dialect) =>
    [access, history, content, portfolio, people, notifications, delivery, managers, operations].flatMap(
      (statements) => statements(dialect),
    ),
}
