/**
 * The interface over HTTP: a Fastify plugin, a whole server, their caches, and the routes and the OpenAPI document behind both.
 * @module @almoner/adapters-http
 */

export type { Extension, ServerParts } from './extension.ts'
export type { Elsewhere, MediaSource, ReadMethod } from './images.ts'
export type { GracefulShutdown } from './lifecycle/health.ts'
export { makeProbes, NotReady, type Probes, reasonsNotReady } from './lifecycle/health.ts'
export type {
  AddJob,
  AskLogBytes,
  AskSending,
  FaultMetrics,
  LogMetrics,
  PushMetrics,
} from './metrics/database.ts'
export { type MetricsServer, type MetricsSource, startMetricsServer } from './metrics/metrics-server.ts'
export type { AddOperation, DatabaseOperation } from './metrics/responses.ts'
export {
  aggregateMetrics,
  cumulativeMetrics,
  type Metrics,
  type MetricValues,
  makeMetrics,
  totalIn,
} from './metrics/responses.ts'
export { openApiDocument } from './openapi/document.ts'
export { interfacePathOf } from './openapi/schema.ts'
export type { CacheOptions } from './plugins/cached-entries.ts'
export { itemCache } from './plugins/item-cache.ts'
export { serveMetrics } from './plugins/metrics.ts'
export { previewTokens } from './plugins/previews.ts'
export type { RateLimit } from './plugins/rate-limit.ts'
export { responseCache } from './plugins/response-cache.ts'
export { PROBLEMS, type ProblemCode } from './problems/problem.ts'
export type { CallerOf } from './request/host-callers.ts'
export type { OnFault } from './request-context.ts'
export type { Route, RouteDescription } from './route.ts'
export { API_ROUTES, type ListedRoute, ROUTE_LIST } from './routes/index.ts'
export {
  type AlmonerPluginOptions,
  type ApiOptions,
  almonerPlugin,
  type BuiltServer,
  buildServer,
  type ServerOptions,
} from './server.ts'
export { LARGEST_HEAD, LONGEST_SEGMENT, METRICS_PATH } from './settings.ts'
