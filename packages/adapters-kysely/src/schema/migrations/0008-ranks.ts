import type { Migration } from './migration.ts'

/**
 * Marks of cached states, and the changes of item positions: numbered without gaps for each content type, in the order of their commits. The
 * latest changes are kept.
 */
export const ranks: Migration = {
  name: '0008-ranks',
  statements: ({ text, integer, tableOptions, keyedOptions }) => [
    `create table shelf (
      name ${text} not null primary key check (name in ('library', 'feed', 'portfolio')),
      seq ${integer} not null,
      mark ${integer} not null
    ) ${tableOptions}`,
    "insert into shelf (name, seq, mark) values ('library', 0, 0), ('feed', 0, 0), ('portfolio', 0, 0)",
    `create table shelf_change (
      shelf ${text} not null references shelf (name),
      seq ${integer} not null,
      mark ${integer} not null,
      item_id ${text} not null,
      was ${text},
      becomes ${text} not null,
      primary key (shelf, seq)
    ) ${keyedOptions}`,
  ],
}
