import type { SqlDialect } from '../../../database/database.ts'

const media = ({ text, integer, tableOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table media (
    name ${text} not null primary key,
    type ${text} not null check (type in ('image/jpeg', 'image/png')),
    bytes ${integer} not null check (bytes >= 0)
  ) ${tableOptions}`,
  `create table media_use (
    shelf ${text} not null check (shelf in ('library', 'feed')),
    item_id ${text} not null,
    name ${text} not null references media (name),
    primary key (shelf, item_id, name)
  ) ${tableOptions}`,
  'create index media_use_name on media_use (name)',
]

const commonColumns = ({ text, integer }: SqlDialect): string => `
    id ${text} not null primary key,
    status ${text} not null check (status in ('Draft', 'Live', 'Archived')),
    restricted ${integer} not null check (restricted in (0, 1)),
    lang ${text} not null,
    title ${text} not null check (title <> ''),
    description ${text} not null check (description <> ''),
    created_at ${integer} not null,
    updated_at ${integer} not null,
    revision ${integer} not null check (revision >= 1)`

const libraryItem = (dialect: SqlDialect): string => {
  const { text, tableOptions } = dialect
  return `create table library_item (${commonColumns(dialect)},
    link ${text} not null,
    publication_date ${text} not null check (length(publication_date) = 10),
    cover_name ${text},
    cover_url ${text},
    notification_name ${text},
    notification_url ${text},
    check (cover_name is null or cover_url is null),
    check (notification_name is null or notification_url is null),
    check (status <> 'Live' or cover_name is not null or cover_url is not null),
    check (status <> 'Live' or notification_name is not null or notification_url is not null)
  ) ${tableOptions}`
}

const feedItem = (dialect: SqlDialect): string => {
  const { text, tableOptions } = dialect
  return `create table feed_item (${commonColumns(dialect)},
    item_type ${text} not null check (item_type in ('photo', 'link', 'vlink')),
    link ${text},
    vlink ${text},
    image_name ${text},
    check (item_type <> 'link' or link is not null),
    check (item_type <> 'vlink' or vlink is not null),
    check (status <> 'Live' or item_type <> 'photo' or link is not null or image_name is not null)
  ) ${tableOptions}`
}

/** Who sees which rows (A3): the conditions of partial indexes. */
const VISIBILITIES = [
  { name: 'all', where: '' },
  { name: 'live', where: " where status = 'Live'" },
  { name: 'public', where: " where status = 'Live' and restricted = 0" },
]

/** One index per visibility and set of filters, each in the order of the collection (C3), so that no list is ever sorted. */
const orderIndexes = (table: string, key: string, filters: ReadonlyArray<ReadonlyArray<string>>) =>
  VISIBILITIES.flatMap((visibility) =>
    filters.map((columns) => {
      const name = [table, visibility.name, ...columns].join('_')
      return `create index ${name} on ${table} (${[...columns, key, 'id'].join(', ')})${visibility.where}`
    }),
  )

const labels = ({ text, integer, tableOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table label (
    label_id ${text} not null primary key,
    en ${text} not null,
    fr ${text} not null,
    rank ${integer} not null
  ) ${tableOptions}`,
  ...['library', 'feed'].flatMap((type) => [
    `create table ${type}_label (
      item_id ${text} not null references ${type}_item (id),
      label_id ${text} not null references label (label_id),
      primary key (item_id, label_id)
    ) ${tableOptions}`,
    `create index ${type}_label_label on ${type}_label (label_id)`,
  ]),
]

/** Stored images, items with the indexes that their lists are read from, and their labels. */
export const items = (dialect: SqlDialect): ReadonlyArray<string> => [
  ...media(dialect),
  libraryItem(dialect),
  ...orderIndexes('library_item', 'publication_date', [[], ['lang']]),
  feedItem(dialect),
  ...orderIndexes('feed_item', 'created_at', [[], ['lang'], ['item_type'], ['lang', 'item_type']]),
  ...labels(dialect),
]
