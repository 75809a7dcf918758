export { NotReady, reasonsNotReady } from '@almoner/adapters-http'
export {
  endOf,
  type HttpsProxy,
  isOfService,
  makeWorkerPool,
  mayBePublic,
  pathFault,
  readHttpsProxy,
  serverTime,
  stopWithLauncher,
  type WorkerHandle,
  type WorkerPool,
} from '@almoner/adapters-node'
export * from '@almoner/adapters-node/jobs'
export { type PostgresPlace, parsePostgresUrl } from '@almoner/adapters-postgres/url'
