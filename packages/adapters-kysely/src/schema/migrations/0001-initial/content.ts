import type { SqlDialect } from '../../../database/database.ts'

/** The conditions of partial indexes: who sees which rows (A3), and lists of one status (J1). */
const CONDITIONS = [
  ['all', ''],
  ['live', " where status = 'Live'"],
  ['public', " where status = 'Live' and restricted = 0"],
  ['draft', " where status = 'Draft'"],
  ['archived', " where status = 'Archived'"],
] as const

/** An index for each condition and set of filters, in the order of the collection (C3), so that no list is ever sorted. */
const orderIndexes = (table: string, date: string, filters: ReadonlyArray<ReadonlyArray<string>>) =>
  CONDITIONS.flatMap(([condition, where]) =>
    filters.map((columns) => {
      const name = [table, condition, ...columns].join('_')
      return `create index ${name} on ${table} (${[...columns, date, 'id'].join(', ')})${where}`
    }),
  )

const itemColumns = ({ text, integer }: SqlDialect): string => `id ${text} not null primary key,
    status ${text} not null check (status in ('Draft', 'Live', 'Archived')),
    restricted ${integer} not null check (restricted in (0, 1)),
    lang ${text} not null,
    title ${text} not null check (title <> ''),
    description ${text} not null check (description <> ''),
    created_at ${integer} not null,
    updated_at ${integer} not null,
    revision ${integer} not null check (revision >= 1)`

const items = (dialect: SqlDialect): ReadonlyArray<string> => {
  const { text, tableOptions } = dialect
  return [
    `create table library_item (
    ${itemColumns(dialect)},
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
  ) ${tableOptions}`,
    ...orderIndexes('library_item', 'publication_date', [[], ['lang']]),
    `create table feed_item (
    ${itemColumns(dialect)},
    item_type ${text} not null check (item_type in ('photo', 'link', 'vlink')),
    link ${text},
    vlink ${text},
    image_name ${text},
    check (item_type <> 'link' or link is not null),
    check (item_type <> 'vlink' or vlink is not null),
    check (status <> 'Live' or item_type <> 'photo' or link is not null or image_name is not null)
  ) ${tableOptions}`,
    ...orderIndexes('feed_item', 'created_at', [[], ['lang'], ['item_type'], ['lang', 'item_type']]),
  ]
}

const labelling = (type: 'library' | 'feed', { text, tableOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table ${type}_label (
    item_id ${text} not null references ${type}_item (id),
    label_id ${text} not null references label (label_id),
    primary key (item_id, label_id)
  ) ${tableOptions}`,
  `create index ${type}_label_label on ${type}_label (label_id)`,
]

/** Stored images, items with the index of their words (J2), labels (E1), translations (J7) and the authors of posts (L3). */
export const content = (dialect: SqlDialect): ReadonlyArray<string> => {
  const { text, integer, tableOptions, keyedOptions, search } = dialect
  return [
    `create table media (
    name ${text} not null primary key,
    type ${text} not null check (type in ('image/jpeg', 'image/png')),
    bytes ${integer} not null check (bytes >= 0)
  ) ${tableOptions}`,
    `create table media_reference (
    content_type ${text} not null check (content_type in ('library', 'feed')),
    item_id ${text} not null,
    name ${text} not null references media (name),
    primary key (content_type, item_id, name)
  ) ${tableOptions}`,
    'create index media_reference_name on media_reference (name)',
    ...items(dialect),
    ...search.tables('library'),
    ...search.tables('feed'),
    `create table label (
    label_id ${text} not null primary key,
    en ${text} not null,
    fr ${text} not null,
    rank ${integer} not null
  ) ${tableOptions}`,
    ...labelling('library', dialect),
    ...labelling('feed', dialect),
    `create table translation (
    en_id ${text} not null primary key references library_item (id),
    fr_id ${text} not null unique references library_item (id)
  ) ${keyedOptions}`,
    `create table feed_author (
    item_id ${text} not null primary key references feed_item (id),
    client_id ${text} not null,
    email ${text},
    posted_at ${integer} not null
  ) ${keyedOptions}`,
    'create index feed_author_email on feed_author (email, posted_at, item_id) where email is not null',
  ]
}

/** A table of an organization's texts, whose key is the order in which they are read (H3). */
const texts = (name: string, columns: string, key: string, { text, tableOptions }: SqlDialect): string =>
  `create table portfolio_${name} (
    organization_id ${text} not null references portfolio_organization (id),
    lang ${text} not null,
    ${columns},
    primary key (organization_id, ${key})
  ) ${tableOptions}`

/** The portfolio, as it was loaded last (H1). */
export const portfolio = (dialect: SqlDialect): ReadonlyArray<string> => {
  const { text, integer, tableOptions } = dialect
  const [rank, id] = [`rank ${integer} not null`, `id ${integer} not null`]
  const highlighted = `text ${text} not null,\n    highlight ${text}`
  return [
    `create table portfolio (
    name ${text} not null,
    organizations ${integer} not null
  ) ${tableOptions}`,
    // PostgreSQL deletes no rows of a published table without a key, as where changes are captured or an upgrade replicates (I10).
    ...dialect.primaryKey('portfolio', 'name'),
    `create table portfolio_sector (
    id ${text} not null primary key,
    en ${text},
    fr ${text},
    logo ${text} not null,
    check (en is not null or fr is not null)
  ) ${tableOptions}`,
    `create table portfolio_organization (
    id ${text} not null primary key,
    name ${text} not null check (name <> ''),
    folded_name ${text} not null,
    since ${integer} not null,
    founded ${integer} not null,
    website ${text},
    logo ${text} not null,
    visual ${text} not null
  ) ${tableOptions}`,
    'create index portfolio_organization_since on portfolio_organization (since, id)',
    `create table portfolio_organization_sector (
    organization_id ${text} not null references portfolio_organization (id),
    sector_id ${text} not null references portfolio_sector (id),
    primary key (organization_id, sector_id)
  ) ${tableOptions}`,
    'create index portfolio_organization_sector_sector on portfolio_organization_sector (sector_id)',
    texts('introduction', `${rank},\n    text ${text} not null`, 'lang, rank', dialect),
    texts('summary', `${rank},\n    ${highlighted}`, 'lang, rank', dialect),
    texts(
      'program',
      `${rank},\n    title ${text} not null,\n    description ${text} not null`,
      'lang, rank',
      dialect,
    ),
    texts('challenge', `${id},\n    ${highlighted}`, 'id, lang', dialect),
    `create table portfolio_dataset (
    organization_id ${text} not null references portfolio_organization (id),
    year ${integer} not null,
    beneficiaries ${integer} not null,
    age_from ${text},
    age_to ${text},
    staff_headcount ${integer} not null,
    budget ${integer} not null,
    budget_currency ${text} not null,
    vr_video_url ${text},
    primary key (organization_id, year)
  ) ${tableOptions}`,
  ]
}
