import type { Migration } from './migration.ts'

/**
 * Adds when retries, pauses and overrides were decided, from when the life of a delivery counts that a clock which was ahead has started, and for how
 * many milliseconds a rotated secret stays: what a clock that was ahead has planned is known by it (I9). Rows from before have none.
 */
export const planned: Migration = {
  name: '0041-planned',
  statements: ({ integer }) => [
    `alter table retry add column planned_at ${integer}`,
    'create index retry_planned on retry (delivery_id, planned_at, device_id) where batch is null',
    `alter table provider add column planned_at ${integer}`,
    `alter table provider add column override_since ${integer}`,
    `alter table delivery add column counted_from ${integer}`,
    `alter table client_secret add column life ${integer}`,
  ],
}
