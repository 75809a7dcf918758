import type { Migration } from './migration.ts'

/** Rewrites of Live items that content managers share (C16). Closed ones stay for a while, so that they can be put back. */
export const proposals: Migration = {
  name: '0016-proposals',
  statements: ({ text, integer, tableOptions }) => [
    `create table proposal (
    id ${text} not null primary key,
    content_type ${text} not null,
    item_id ${text} not null,
    base_revision ${integer} not null,
    base ${text} not null,
    state ${text} not null,
    images ${text} not null,
    actor_kind ${text},
    actor_id ${text},
    proposed_at ${integer} not null,
    publish_at ${integer},
    failed_at ${integer},
    missing ${text},
    closed_at ${integer}
  ) ${tableOptions}`,
    'create unique index proposal_item on proposal (content_type, item_id) where closed_at is null',
    'create index proposal_publish_at on proposal (publish_at, id) where publish_at is not null',
    'create index proposal_closed_at on proposal (closed_at) where closed_at is not null',
  ],
}
