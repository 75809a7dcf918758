/**
 * Jobs that a service repeats by itself: maintenance, the heartbeat of a node, and reviews at due times.
 * @module @almoner/adapters-node/jobs
 */

export { changesOf, type DueTimes } from './due-times.ts'
export { type Heartbeat, makeHeartbeat } from './heartbeat.ts'
export { maintenanceJobs } from './maintenance.ts'
export { type Job, type JobEvents, type JobResult, type Schedule, schedule } from './schedule.ts'
export type { Rule } from './wake-up.ts'
