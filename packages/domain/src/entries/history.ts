/**
 * The history of items and the audit records: their types, inputs and use cases.
 * @module @almoner/domain/history
 */

export * from '../access/acts.ts'
export {
  ACTOR_KINDS,
  type Actor,
  type ActorKind,
  clientActor,
  commandActor,
  personActor,
} from '../access/caller.ts'
export * from '../almoner/history.ts'
export * from '../content/fields.ts'
export * from '../content/restoring.ts'
export * from '../content/restoring.ts'
export {
  OneRevision,
  type RestoreError,
  type RevisionImageGone,
  type RevisionNotFound,
} from '../content/restoring.ts'
export * from '../history/model.ts'
export * from '../history/model.ts'
export * from '../history/use-cases.ts'
export {
  isFarFrom,
  makePurgeHistory,
  makePurgeHold,
  newestRecord,
  type Purge,
} from '../operations/maintenance.ts'
