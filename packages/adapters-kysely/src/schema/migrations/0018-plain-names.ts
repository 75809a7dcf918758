import type { Migration } from './migration.ts'

/** Gives tables and columns the names that the program has for them. */
export const plainNames: Migration = {
  name: '0018-plain-names',
  statements: () => [
    'drop index media_use_name',
    'alter table media_use rename to media_reference',
    'alter table media_reference rename column shelf to content_type',
    'create index media_reference_name on media_reference (name)',
    'alter table node rename column told_at to last_seen_at',
    'alter table portion rename to batch',
    'alter table retry rename column portion to batch',
    'alter table delivery rename column next_portion to next_batch',
    'alter table pin rename to recipient_snapshot',
    'alter table notification rename column taken_up to started',
    'alter table delivery rename column taken_up_at to started_at',
    'alter table provider rename column believed_until to override_until',
  ],
}
