import type { Migration } from './migration.ts'

/** Checks of links (C17): their rounds in one row, and what each link answered. */
export const links: Migration = {
  name: '0006-links',
  statements: ({ text, integer, tableOptions, keyedOptions }) => [
    `create table link_round (
    one ${integer} not null primary key check (one = 1),
    step ${integer} not null,
    number ${integer} not null,
    begun_at ${integer},
    position ${text},
    held_until ${integer},
    shown ${integer} not null,
    ended_at ${integer},
    hosts ${integer},
    unreached ${integer}
  ) ${tableOptions}`,
    `create table link_finding (
    round ${integer} not null,
    item_id ${text} not null,
    field ${text} not null,
    content_type ${text} not null check (content_type in ('library', 'feed')),
    url ${text} not null,
    host ${text} not null,
    reached ${integer} not null check (reached in (0, 1)),
    answer ${text} not null,
    at ${integer} not null,
    verdict ${text} not null check (verdict in ('alive', 'unknown', 'dead')),
    gone_answer ${text},
    gone_since ${integer},
    primary key (round, item_id, field)
  ) ${keyedOptions}`,
    "create index link_finding_dead on link_finding (round, item_id, field) where verdict = 'dead'",
  ],
}
