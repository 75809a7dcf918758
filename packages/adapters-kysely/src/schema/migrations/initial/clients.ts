import type { SqlDialect } from '../../../database/database.ts'

/** Clients with the digests of their secrets and tokens (A1, A6), and their idempotency keys (I4). */
export const clients = ({ text, integer, tableOptions, keyedOptions }: SqlDialect): ReadonlyArray<string> => [
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
    primary key (client_id, seq)
  ) ${tableOptions}`,
  `create table access_token (
    digest ${text} not null primary key,
    client_id ${text} not null references client (id),
    scopes ${text} not null,
    expires_at ${integer} not null
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
    primary key (client_id, key)
  ) ${keyedOptions}`,
  'create index idempotency_key_used on idempotency_key (used_at)',
  'create index idempotency_key_email on idempotency_key (email) where email is not null',
]

/** The servers on the database, with their common settings as JSON, and the identity of the image storage (D6). */
export const service = ({ text, integer, keyedOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table node (
    id ${text} not null primary key,
    name ${text} not null,
    told_at ${integer} not null,
    settings ${text} not null
  ) ${keyedOptions}`,
  `create table storage_identity (
    one ${integer} not null primary key check (one = 1),
    id ${text},
    sweep_refusal ${text}
  ) ${keyedOptions}`,
]
