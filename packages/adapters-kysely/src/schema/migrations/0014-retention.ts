import type { Migration } from './migration.ts'

/**
 * Per-device rows of a delivery are deleted some time after its end (G8); `has_rows` marks the deliveries with rows. Tokens that are both attached
 * and dead, which earlier versions could leave, are no longer dead (F4).
 */
export const retention: Migration = {
  name: '0014-retention',
  statements: ({ integer }) => [
    `alter table delivery add column has_rows ${integer} not null default 1 check (has_rows in (0, 1))`,
    'update delivery set has_rows = 0 where recipients = 0',
    'create index delivery_rows on delivery (finished_at) where has_rows = 1',
    'create index delivery_ended on delivery (finished_at)',
    'delete from dead_device where token_digest in (select token_digest from device)',
  ],
}
