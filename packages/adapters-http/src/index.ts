/**
 * The interface over HTTP: a plugin for an application of Fastify, a whole server, and the routes and the OpenAPI document behind both.
 * @module @almoner/adapters-http
 */

export { images } from './images/images.ts'
export type { Elsewhere, MediaSource, ReadMethod } from './images/source.ts'
export type { Leaving } from './lifecycle/graceful-shutdown.ts'
export { LARGEST_HEAD, LONGEST_SEGMENT } from './limits.ts'
export { aggregateMetrics, cumulativeMetrics, type MetricValues } from './metrics/aggregate.ts'
export type { AddChore } from './metrics/chores.ts'
export type { AddOperation, DatabaseOperation } from './metrics/database.ts'
export type { AskLogBytes } from './metrics/log.ts'
export { type Metrics, makeMetrics, serveMetrics } from './metrics/metrics.ts'
export type { PushFigures } from './metrics/pushes.ts'
export type { AskSending } from './metrics/queue.ts'
export { discovery } from './oauth/metadata.ts'
export { openApiDocument } from './openapi/document.ts'
export { interfacePathOf } from './openapi/path.ts'
export type { RateLimit, ServerOptions } from './options.ts'
export { METRICS_PATH } from './paths.ts'
export { type ApiOptions, api } from './plugin.ts'
export type { KeepingOptions } from './plugins/response-cache/generations.ts'
export { PROBLEMS, type ProblemCode } from './problems/catalogue.ts'
export type { Route, RouteDescription } from './route.ts'
export { API_ROUTES } from './routes/index.ts'
export { type ListedRoute, ROUTE_LIST } from './routes/route-list.ts'
export { type BuiltServer, buildServer } from './server.ts'
