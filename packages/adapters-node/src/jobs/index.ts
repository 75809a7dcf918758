/**
 * Jobs that a service repeats by itself: maintenance, the heartbeat of a node, reviews at due times, the watch over
 * the identities of database and image storage, and the exchange of what several processes count.
 * @module @almoner/adapters-node/jobs
 */

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
export {
  type Heartbeat,
  linkCheckJob,
  maintenanceJobs,
  makeHeartbeat,
  proposalsJob,
  type SchedulesLog,
  schedulesJob,
  sharedRun,
  TimeLimitPassed,
  withinLimit,
} from './maintenance.ts'
export {
  type CountMessage,
  type NodeCounts,
  type NodeLink,
  type RememberedMessages,
  rememberMessages,
  shareCounts,
} from './node-counts.ts'
export {
  changesOf,
  type DueTimes,
  type Job,
  type JobEvents,
  type JobResult,
  type Schedule,
  schedule,
} from './schedule.ts'
export type { Rule } from './wake-up.ts'
