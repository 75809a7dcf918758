import type { Migration } from './migration.ts'

/** Stores when each client was last used. A separate table, so that a use never waits for a change of the client. */
export const clientUse: Migration = {
  name: '0027-client-use',
  statements: ({ text, integer, tableOptions }) => [
    `create table client_use (
    client_id ${text} not null primary key references client (id),
    used_at ${integer} not null
  ) ${tableOptions}`,
  ],
}
