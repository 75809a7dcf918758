import { ACTIONS, ACTOR_KINDS } from '@almoner/domain/access'
import { SUBJECT_KINDS } from '@almoner/domain/history'
import { integer, matching, oneOf, type Row, text } from './checks.ts'
import { type TransferTable, table } from './table.ts'

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string'

const isState = (json: string): boolean => {
  const state = parsed(json)
  return isObject(state) && Object.values(state).every((value) => typeof value === 'string')
}

const isChange = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['field'] === 'string' &&
  isTextOrNull(value['before']) &&
  isTextOrNull(value['after'])

const areChanges = (json: string): boolean => {
  const changes = parsed(json)
  return Array.isArray(changes) && changes.every(isChange)
}

const recordRule = ({ number, state, changes, is_latest }: Row): string | undefined => {
  if ((number === null) !== (state === null)) return 'has half a revision'
  if (state === null && changes === null) return 'says nothing of what changed'
  return number === null && is_latest === 1 ? 'is the latest revision without being one' : undefined
}

/** The records of changes, under the numbers by which they are ordered (K1). */
export const HISTORY_TABLES: ReadonlyArray<TransferTable> = [
  table('user_number', {
    key: ['id'],
    unique: 'email',
    checks: { id: integer(1) },
    numbers: { user_number: ['id'] },
  }),
  table('audit_record', {
    key: ['id'],
    checks: {
      id: integer(1),
      actor_kind: oneOf(...ACTOR_KINDS),
      action: oneOf(...ACTIONS),
      subject_kind: oneOf(...SUBJECT_KINDS),
      subject_id: text,
      changes: matching(areChanges, 'a list of changes'),
      state: matching(isState, "an item's state"),
    },
    rule: recordRule,
    // The record of an import belongs to the database that it filled: two databases with the same content have the same export.
    omits: { column: 'action', value: 'import-archive' },
    numbers: { audit_record: ['id'] },
  }),
]
