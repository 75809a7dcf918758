import type { Migration } from './migration.ts'

/** Adds the accounts of an identity provider that sign managers in (M3). */
export const identities: Migration = {
  name: '0030-identities',
  statements: ({ text, integer, tableOptions }) => [
    `create table manager_identity (
    email ${text} not null primary key references manager (email),
    issuer ${text} not null,
    subject ${text} not null,
    linked_at ${integer} not null,
    last_used_at ${integer} not null
  ) ${tableOptions}`,
    'create unique index manager_identity_subject on manager_identity (subject, issuer)',
  ],
}
