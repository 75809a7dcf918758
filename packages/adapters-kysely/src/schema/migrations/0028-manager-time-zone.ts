import type { Migration } from './migration.ts'

/** Stores the time zone that a manager has chosen for the console; null stands for that of the service (M2). */
export const managerTimeZone: Migration = {
  name: '0028-manager-time-zone',
  statements: ({ text }) => [`alter table manager add column time_zone ${text}`],
}
