import type { Migration } from './migration.ts'

/** Managers, their sessions and one-time secrets (M2, M4). */
export const consolePeople: Migration = {
  name: '0022-console',
  statements: ({ text, integer, tableOptions, keyedOptions }) => [
    `create table manager (
    email ${text} not null primary key,
    name ${text} not null,
    lang ${text} not null,
    duty ${text} not null check (duty in ('editor', 'operator')),
    disabled ${integer} not null check (disabled in (0, 1))
  ) ${tableOptions}`,
    `create table manager_session (
    digest ${text} not null primary key,
    email ${text} not null references manager (email),
    opened_at ${integer} not null,
    last_seen_at ${integer} not null,
    idle_ends_at ${integer} not null,
    ends_at ${integer} not null,
    confirmed_at ${integer} not null,
    browser ${text} not null
  ) ${keyedOptions}`,
    'create index manager_session_email on manager_session (email, opened_at)',
    'create index manager_session_idle_ends_at on manager_session (idle_ends_at)',
    `create table one_time_secret (
    digest ${text} not null primary key,
    purpose ${text} not null,
    email ${text} not null references manager (email),
    expires_at ${integer} not null
  ) ${keyedOptions}`,
    'create index one_time_secret_email on one_time_secret (email)',
    'create index one_time_secret_expires_at on one_time_secret (expires_at)',
  ],
}
