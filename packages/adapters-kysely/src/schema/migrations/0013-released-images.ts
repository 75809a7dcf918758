import type { Migration } from './migration.ts'

/** When an act that can be undone released an image (D5, M12). */
export const releasedImages: Migration = {
  name: '0013-released-images',
  statements: ({ integer }) => [
    `alter table media add column released_at ${integer}`,
    'create index media_released on media (released_at) where released_at is not null',
  ],
}
