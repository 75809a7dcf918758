import type { Migration } from './migration.ts'

/**
 * What changed for copies that apps keep (N2): the latest change of each thing and aspect, in the order of positions, and the epochs of these
 * (N3). What exists is put before all changes to come.
 */
export const changes: Migration = {
  name: '0009-changes',
  statements: ({ text, integer, tableOptions, keyedOptions, positions }) => [
    `create table content_change (
    kind ${text} not null,
    id ${text} not null,
    aspect ${text} not null,
    position ${integer} not null,
    settled ${integer},
    rank ${integer} not null,
    user_lead ${integer},
    donor_lead ${integer},
    gone_at ${integer},
    primary key (kind, id, aspect)
  ) ${keyedOptions}`,
    'create index content_change_order on content_change (position, rank, kind, id, aspect)',
    'create index content_change_gone on content_change (gone_at) where gone_at is not null',
    `create table change_epoch (
    epoch ${text} not null primary key,
    number ${integer} not null unique,
    shift ${integer} not null,
    identity ${text},
    last_position ${integer}
  ) ${tableOptions}`,
    `insert into change_epoch (epoch, number, shift, identity) values (${positions.newEpoch}, 1, 0, ${positions.server})`,
    ...['library', 'feed'].map(
      (kind) => `insert into content_change (position, kind, id, aspect, rank)
    select 0, '${kind}', id, 'own', 0 from ${kind}_item`,
    ),
    `insert into content_change (position, kind, id, aspect, rank)
    select 0, 'label', label_id, 'own', rank from label`,
  ],
}
