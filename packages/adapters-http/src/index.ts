/**
 * The interface over HTTP: a Fastify plugin, a whole server, their caches, and the routes and the OpenAPI document behind both.
 * @module @almoner/adapters-http
 */

export type { Extension, ServerParts } from './extension.ts'
export type { Elsewhere, MediaSource, ReadMethod } from './images/images.ts'
export type { GracefulShutdown } from './lifecycle/graceful-shutdown.ts'
export { LARGEST_HEAD, LONGEST_SEGMENT } from './limits.ts'
export type { AddOperation, AskLogBytes, DatabaseOperation } from './metrics/database.ts'
export {
  type AddJob,
  aggregateMetrics,
  cumulativeMetrics,
  type Metrics,
  type MetricValues,
  makeMetrics,
} from './metrics/metrics.ts'
export { type MetricsServer, type MetricsSource, startMetricsServer } from './metrics/metrics-server.ts'
export type { PushMetrics } from './metrics/pushes.ts'
export type { AskSending } from './metrics/queue.ts'
export { totalIn } from './metrics/totals.ts'
export { openApiDocument } from './openapi/document.ts'
export { interfacePathOf } from './openapi/path.ts'
export { METRICS_PATH } from './paths.ts'
export { type AlmonerPluginOptions, type ApiOptions, almonerPlugin } from './plugin.ts'
export { itemCache } from './plugins/item-cache.ts'
export { makeProbes, type Probes } from './plugins/probes.ts'
export type { RateLimit } from './plugins/rate-limit.ts'
export { NotReady, reasonsNotReady } from './plugins/readiness.ts'
export type { CacheOptions } from './plugins/response-cache/entries.ts'
export { responseCache } from './plugins/response-cache/response-cache.ts'
export { serveMetrics } from './plugins/serve-metrics.ts'
export { PROBLEMS, type ProblemCode } from './problems/catalogue.ts'
export type { OnFault } from './request-context.ts'
export type { Route, RouteDescription } from './route.ts'
export { API_ROUTES } from './routes/index.ts'
export { type ListedRoute, ROUTE_LIST } from './routes/route-list.ts'
export { type BuiltServer, buildServer, type ServerOptions } from './server.ts'
