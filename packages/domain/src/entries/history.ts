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
export * from '../history/model.ts'
export * from '../history/model.ts'
export * from '../history/use-cases.ts'
export * from '../items/fields.ts'
export {
  OneRevision,
  type RestoreError,
  type RevisionImageGone,
  type RevisionNotFound,
} from '../use-cases/history/one-revision.ts'
export * from '../use-cases/history/restore-feed-revision.ts'
export * from '../use-cases/history/restore-library-revision.ts'
export { isFarFrom, makePurgeHold, newestRecord } from '../use-cases/maintenance/purge-hold.ts'
export { makePurgeHistory, type Purge } from '../use-cases/maintenance/purges.ts'
