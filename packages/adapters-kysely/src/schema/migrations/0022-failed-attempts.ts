import type { Migration } from './migration.ts'

/** The wrong credentials of the last minute, which nodes exchange (A8). */
export const failedAttempts: Migration = {
  name: '0022-failed-attempts',
  statements: ({ text, integer, tableOptions }) => [
    `create table failed_attempt (
    node ${text} not null,
    number ${integer} not null,
    source ${text} not null,
    key ${text} not null,
    failures ${integer} not null,
    at ${integer} not null,
    primary key (node, number)
  ) ${tableOptions}`,
    'create index failed_attempt_at on failed_attempt (at)',
  ],
}
