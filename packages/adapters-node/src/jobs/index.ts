/**
 * Jobs that a service repeats by itself: maintenance, the heartbeat of a node, reviews at due times, and the watch over
 * the identities of database and image storage.
 * @module @almoner/adapters-node/jobs
 */

export { changesOf, type DueTimes } from './due-times.ts'
export { type Heartbeat, makeHeartbeat } from './heartbeat.ts'
export {
  type Identities,
  type IdentityChanges,
  type IdentityLog,
  type IdentitySource,
  type IdentityWatch,
  identityTexts,
  readIdentities,
  UNCHANGED,
  type WatchedIdentity,
  watchIdentity,
} from './identity.ts'
export { maintenanceJobs } from './maintenance.ts'
export { type Job, type JobEvents, type JobResult, type Schedule, schedule } from './schedule.ts'
export { sharedRun, TimeLimitPassed, withinLimit } from './time-limit.ts'
export type { Rule } from './wake-up.ts'
