export {
  changesOf,
  type Heartbeat,
  type Job,
  type JobEvents,
  maintenanceJobs,
  makeHeartbeat,
  type Schedule,
  schedule,
} from '@almoner/adapters-node/jobs'
