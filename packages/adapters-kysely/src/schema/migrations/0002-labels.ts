import type { SqlDialect } from '../../database/database.ts'
import type { Migration } from './migration.ts'

const attachments = (shelf: string, { text, tableOptions }: SqlDialect): ReadonlyArray<string> => [
  `create table ${shelf}_label (
    item_id ${text} not null references ${shelf}_item (id),
    label_id ${text} not null references label (label_id),
    primary key (item_id, label_id)
  ) ${tableOptions}`,
  `create index ${shelf}_label_label on ${shelf}_label (label_id)`,
]

/** Labels and which items carry them (E1, E2). */
export const labels: Migration = {
  name: '0002-labels',
  statements: (dialect) => [
    `create table label (
      label_id ${dialect.text} not null primary key,
      en ${dialect.text} not null,
      fr ${dialect.text} not null,
      rank ${dialect.integer} not null
    ) ${dialect.tableOptions}`,
    ...attachments('library', dialect),
    ...attachments('feed', dialect),
  ],
}
