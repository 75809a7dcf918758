import type { Migration } from './migration.ts'

/**
 * The base of pairs of publications (J8). Pairs from before are in step as they are. The indexes hold the pairs that are not, each by the id of
 * its older side.
 */
export const older: Migration = {
  name: '0005-older',
  statements: ({ integer }) => [
    `alter table translation add column en_base ${integer} check (en_base > 0)`,
    `alter table translation add column fr_base ${integer} check (fr_base is null or (fr_base > 0 and en_base is null))`,
    'create index translation_older_fr on translation (fr_id) where en_base is not null',
    'create index translation_older_en on translation (en_id) where fr_base is not null',
  ],
}
