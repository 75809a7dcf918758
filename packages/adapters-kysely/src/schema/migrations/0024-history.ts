import type { Migration } from './migration.ts'

/** Adds the records of changes (K1 to K3). The history of an item begins with its first change after this. */
export const history: Migration = {
  name: '0024-history',
  statements: ({ text, integer, rowNumber, identity, tableOptions }) => [
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
    `create table user_number (
    id ${identity},
    email ${text} not null unique
  ) ${tableOptions}`,
    'create index audit_record_subject on audit_record (subject_id, number)',
    'create index audit_record_expiring on audit_record (at, id) where is_latest = 0',
  ],
}
