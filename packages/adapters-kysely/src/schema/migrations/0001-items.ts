import type { SqlDialect } from '../../database/database.ts'
import type { Migration } from './migration.ts'

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
    lang ${text} not null check (lang in ('en', 'fr')),
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

/** How far each kind of caller sees (A3): the rows that its indexes hold. */
const SIGHTS = [
  { name: 'all', where: '' },
  { name: 'live', where: " where status = 'Live'" },
  { name: 'public', where: " where status = 'Live' and restricted = 0" },
]

/** One index per sight and set of filters, each in the shelf's order (C3), so that no list is ever sorted. */
const orderIndexes = (table: string, key: string, filters: ReadonlyArray<ReadonlyArray<string>>) =>
  SIGHTS.flatMap((sight) =>
    filters.map((columns) => {
      const name = [table, sight.name, ...columns].join('_')
      return `create index ${name} on ${table} (${[...columns, key, 'id'].join(', ')})${sight.where}`
    }),
  )

/** Stored images, the two shelves and the indexes that their lists are read from. */
export const items: Migration = {
  name: '0001-items',
  statements: (dialect) => [
    ...media(dialect),
    libraryItem(dialect),
    ...orderIndexes('library_item', 'publication_date', [[], ['lang']]),
    feedItem(dialect),
    ...orderIndexes('feed_item', 'created_at', [[], ['lang'], ['item_type'], ['lang', 'item_type']]),
  ],
}
