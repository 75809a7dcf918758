import type { Migration } from './migration.ts'

/** Clients, their hashed secrets and the digests of their tokens (A1, A6). */
export const clients: Migration = {
  name: '0003-clients',
  statements: ({ text, integer, tableOptions }) => [
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
  ],
}
