import type { Migration } from './migration.ts'

/** The keys of requests that wrote something, and what was answered (I4). */
export const idempotencyKeys: Migration = {
  name: '0013-idempotency-keys',
  statements: ({ text, integer, keyedOptions }) => [
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
  ],
}
