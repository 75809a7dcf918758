import type { Migration } from './migration.ts'

/** The requests of the last minute, which nodes exchange when a rate limit is set (A8). */
export const countedRequests: Migration = {
  name: '0023-counted-requests',
  // Without an index by time, which each report would have to write: a row for each node and busy client are few.
  statements: ({ text, integer, tableOptions }) => [
    `create table counted_request (
    node ${text} not null,
    key ${text} not null,
    begun ${integer} not null,
    requests ${integer} not null,
    at ${integer} not null,
    primary key (node, key)
  ) ${tableOptions}`,
  ],
}
