import type { Migration } from './migration.ts'

/** Adds passkeys (M3), and one-time secrets without a manager: the challenges of sign-ins. Sign-in links stay. */
export const passkeys: Migration = {
  name: '0026-passkeys',
  statements: ({ text, integer, tableOptions, keyedOptions }) => [
    `create table passkey (
    id ${text} not null primary key,
    email ${text} not null references manager (email),
    name ${text} not null,
    public_key ${text} not null,
    sign_count ${integer} not null,
    created_at ${integer} not null,
    last_used_at ${integer}
  ) ${tableOptions}`,
    'create index passkey_email on passkey (email, created_at)',
    'alter table one_time_secret rename to earlier_secret',
    'drop index one_time_secret_email',
    'drop index one_time_secret_expires_at',
    `create table one_time_secret (
    digest ${text} not null primary key,
    purpose ${text} not null,
    email ${text} references manager (email),
    expires_at ${integer} not null
  ) ${keyedOptions}`,
    `insert into one_time_secret (digest, purpose, email, expires_at)
    select digest, purpose, email, expires_at from earlier_secret`,
    'drop table earlier_secret',
    'create index one_time_secret_email on one_time_secret (email)',
    'create index one_time_secret_expires_at on one_time_secret (expires_at)',
  ],
}
