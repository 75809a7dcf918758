import type { Migration } from './migration.ts'

/** Adds passwords of managers with the secrets of their authenticator apps, and digests of recovery codes (M3). */
export const passwords: Migration = {
  name: '0031-passwords',
  statements: ({ text, integer, keyedOptions }) => [
    `create table manager_password (
    email ${text} not null primary key references manager (email),
    hash ${text} not null,
    totp_secret ${text} not null,
    used_step ${integer} not null,
    changed_at ${integer} not null,
    last_used_at ${integer}
  ) ${keyedOptions}`,
    `create table recovery_code (
    digest ${text} not null primary key,
    email ${text} not null references manager_password (email)
  ) ${keyedOptions}`,
    'create index recovery_code_email on recovery_code (email)',
  ],
}
