import type { Migration } from './migration.ts'

/**
 * Descriptions of images and their sizes (D9). Images from before have none until they are read; the index finds these and is empty afterwards.
 */
export const images: Migration = {
  name: '0003-images',
  statements: ({ text, integer }) => [
    `alter table library_item add column cover_alt ${text}`,
    `alter table library_item add column notification_alt ${text}`,
    `alter table feed_item add column image_alt ${text}`,
    `alter table media add column width ${integer}`,
    `alter table media add column height ${integer}`,
    'create index media_unmeasured on media (name) where width is null',
  ],
}
