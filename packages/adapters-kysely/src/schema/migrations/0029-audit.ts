import type { Migration } from './migration.ts'

/** The indexes of the audit: a page by time, actor or action reads its rows alone, however many records others have left (K4). */
export const audit: Migration = {
  name: '0029-audit',
  statements: () => [
    'create index audit_record_at on audit_record (at, id)',
    'create index audit_record_actor on audit_record (actor_id, at, id)',
    'create index audit_record_action on audit_record (action, at, id)',
  ],
}
