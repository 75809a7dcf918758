export { NotReady, reasonsNotReady } from '@almoner/adapters-http'
export {
  endOf,
  type HttpsProxy,
  hasProxyAgents,
  hostInUrl,
  isHost,
  isNetwork,
  isOfAllAddresses,
  isOfService,
  makeWorkerPool,
  mayBePublic,
  originOf,
  pathFault,
  readHttpsProxy,
  serverTime,
  stopWithLauncher,
  type WorkerHandle,
  type WorkerPool,
} from '@almoner/adapters-node'
export * from '@almoner/adapters-node/jobs'
export * from '@almoner/adapters-node/parsing'
export { type PostgresPlace, parsePostgresUrl } from '@almoner/adapters-postgres/url'
