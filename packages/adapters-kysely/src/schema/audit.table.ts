import type { Email, Instant } from '@almoner/domain'
import type { Action, ActorKind } from '@almoner/domain/access'
import type { SubjectKind } from '@almoner/domain/history'
import type { GeneratedAlways } from 'kysely'
import type { Flag } from './columns.ts'

/**
 * A change (K1). `number` and `state` are those of an item's revision, `changes` a JSON array; null stands for a creation, whose changes
 * follow from the state. `is_latest` marks the revision that retention leaves to its item (K3).
 */
export interface AuditRow {
  readonly id: GeneratedAlways<number>
  readonly at: Instant
  readonly actor_kind: ActorKind
  readonly actor_id: string
  readonly action: Action
  readonly subject_kind: SubjectKind
  readonly subject_id: string
  readonly number: number | null
  readonly is_latest: Flag
  readonly changes: string | null
  readonly state: string | null
}

/** The number under which a user appears in records (K1). Without its row, the number refers to no person. */
interface UserNumberRow {
  readonly id: GeneratedAlways<number>
  readonly email: Email
}

/** The tables of changes. */
export interface AuditTables {
  readonly user_number: UserNumberRow
  readonly audit_record: AuditRow
}
