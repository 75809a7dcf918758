import type { Migration } from './migration.ts'

const COLUMNS = 'client_id, key, digest, used_at, email, status, content_type, etag, body, token_digest'

/**
 * Clients that obtain tokens for people, the person of a token (A10), and the person to whom an idempotency key belongs besides its client
 * (I4). No engine adds a column to a primary key in place, so the keys are copied.
 */
export const people: Migration = {
  name: '0008-people',
  statements: ({ text, integer, keyedOptions }) => [
    `alter table client add column for_people ${integer} not null default 0 check (for_people in (0, 1))`,
    `alter table client add column public ${integer} not null default 0 check (public in (0, for_people))`,
    `alter table client add column audience ${text} check (audience is null or for_people = 1)`,
    `alter table access_token add column email ${text}`,
    'create index access_token_email on access_token (email) where email is not null',
    `create table idempotency_key_copy as select ${COLUMNS} from idempotency_key`,
    'drop table idempotency_key',
    `create table idempotency_key (
    client_id ${text} not null,
    person ${text} not null default '',
    key ${text} not null,
    digest ${text} not null,
    used_at ${integer} not null,
    email ${text},
    status ${integer} not null,
    content_type ${text},
    etag ${text},
    body ${text} not null,
    token_digest ${text},
    primary key (client_id, person, key)
  ) ${keyedOptions}`,
    `insert into idempotency_key (${COLUMNS}) select ${COLUMNS} from idempotency_key_copy`,
    'drop table idempotency_key_copy',
    'create index idempotency_key_used on idempotency_key (used_at)',
    'create index idempotency_key_email on idempotency_key (email) where email is not null',
    'create index idempotency_key_token on idempotency_key (token_digest) where token_digest is not null',
    "create index idempotency_key_person on idempotency_key (person) where person <> ''",
  ],
}
