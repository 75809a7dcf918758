import type { Migration } from './migration.ts'

/** The images of new items, which belong to working copies until the items are created (D5, M7). */
export const copyImages: Migration = {
  name: '0017-copy-images',
  statements: ({ text, integer, keyedOptions }) => [
    `create table working_copy_image (
    email ${text} not null references manager (email),
    key ${text} not null,
    name ${text} not null references media (name),
    added_at ${integer} not null,
    primary key (email, key, name)
  ) ${keyedOptions}`,
    'create index working_copy_image_name on working_copy_image (name)',
    'create index working_copy_image_added_at on working_copy_image (added_at)',
  ],
}
