import type { Migration } from './migration.ts'

/** Links publications that are translations of each other (J7). */
export const translation: Migration = {
  name: '0023-translation',
  statements: ({ text, keyedOptions }) => [
    `create table translation (
    en_id ${text} not null primary key references library_item (id),
    fr_id ${text} not null unique references library_item (id)
  ) ${keyedOptions}`,
  ],
}
