/**
 * The interface over HTTP: a plugin for an application of Fastify, a whole server, and the routes and the OpenAPI document behind both.
 * @module @almoner/adapters-http
 */

export type { KeepingOptions } from './cache/kept.ts'
export { discovery } from './oauth/metadata.ts'
export { openApiDocument } from './openapi/document.ts'
export { interfacePathOf } from './openapi/path.ts'
export type { RateLimit, ServerOptions } from './options.ts'
export { PROBLEMS, type ProblemCode } from './problems/catalogue.ts'
export { API_ROUTES } from './routes/index.ts'
export { type ListedRoute, ROUTE_LIST } from './routes/listing.ts'
export type { Route, RouteDescription } from './routes/route.ts'
export { type ApiOptions, api } from './server/api.ts'
export { type BuiltServer, buildServer } from './server/build.ts'
export { LARGEST_HEAD, LONGEST_SEGMENT } from './server/limits.ts'
export type { Elsewhere, MediaSource, ReadMethod } from './server/media/source.ts'
export { images } from './server/media.ts'
export { aggregateMetrics, cumulativeMetrics, type MetricValues } from './server/metrics/aggregate.ts'
export type { AddChore } from './server/metrics/chores.ts'
export type { AddOperation, DatabaseOperation } from './server/metrics/database.ts'
export type { AskLogBytes } from './server/metrics/log.ts'
export type { PushFigures } from './server/metrics/pushes.ts'
export type { AskSending } from './server/metrics/queue.ts'
export { type Metrics, makeMetrics, serveMetrics } from './server/metrics.ts'
export { METRICS_PATH } from './server/paths.ts'
export type { Leaving } from './server/stopping.ts'
