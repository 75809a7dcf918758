import type { ContentType } from '@almoner/domain/history'
import type { Migration } from './migration.ts'

const TYPES: ReadonlyArray<ContentType> = ['library', 'feed']

/** A condition that the records of a Draft go back to its creation, and that it was Live in none of them (C18). */
const wasNeverLive = (type: ContentType): string => {
  const records = `select 1 from audit_record where subject_id = ${type}_item.id and subject_kind = '${type}'`
  return `status = 'Draft' and exists (${records} and number = 1)
    and not exists (${records} and number is not null and state like '%"status":"Live"%')`
}

/** Returns statements that mark as never Live the drafts of which the records prove it, after an import that did not know (C18). */
export const markNeverLive: ReadonlyArray<string> = TYPES.map(
  (type) => `update ${type}_item set was_live = 0 where was_live = 1 and ${wasNeverLive(type)}`,
)

/** Which items were ever Live, and the deleted ones that can be put back, with the images that they hold meanwhile (C18). */
export const drafts: Migration = {
  name: '0014-drafts',
  statements: ({ text, integer, tableOptions, keyedOptions }) => [
    ...TYPES.flatMap((type) => [
      `alter table ${type}_item add column was_live ${integer} not null default 0`,
      `update ${type}_item set was_live = 1 where not (${wasNeverLive(type)})`,
    ]),
    `create table deleted_item (
    deletion_id ${text} not null primary key,
    content_type ${text} not null,
    item_id ${text} not null,
    deleted_at ${integer} not null,
    item ${text} not null,
    labels ${text} not null,
    author_client ${text},
    author_email ${text},
    counterpart_id ${text},
    en_base ${integer},
    fr_base ${integer}
  ) ${tableOptions}`,
    'create index deleted_item_at on deleted_item (content_type, deleted_at)',
    'create index deleted_item_email on deleted_item (author_email) where author_email is not null',
    `create table media_hold (
    holder ${text} not null,
    name ${text} not null references media (name),
    primary key (holder, name)
  ) ${keyedOptions}`,
    'create index media_hold_name on media_hold (name)',
  ],
}
