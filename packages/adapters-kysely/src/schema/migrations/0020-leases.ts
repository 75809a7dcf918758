import type { Migration } from './migration.ts'

/** Leases of jobs that one process at a time runs. */
export const leases: Migration = {
  name: '0020-leases',
  statements: ({ text, integer, tableOptions }) => [
    `create table job_lease (
    job ${text} not null primary key,
    step ${integer} not null,
    held_until ${integer},
    ran_at ${integer}
  ) ${tableOptions}`,
  ],
}
