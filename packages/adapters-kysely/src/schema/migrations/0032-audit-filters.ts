import type { Migration } from './migration.ts'

/**
 * Adds to each index of the audit the column that the other one filters by. A page by actor and action then skips the records of others
 * without reading them (K4).
 */
export const auditFilters: Migration = {
  name: '0032-audit-filters',
  statements: () => [
    'drop index audit_record_actor',
    'drop index audit_record_action',
    'create index audit_record_actor on audit_record (actor_id, at, id, action)',
    'create index audit_record_action on audit_record (action, at, id, actor_id)',
  ],
}
