import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { IsIdle } from './lifecycle/connections.ts'
import type { GracefulShutdown } from './lifecycle/health.ts'
import type { Metrics } from './metrics/responses.ts'
import type { BodyLimits } from './request/metered-body.ts'
import type { UploadLimits } from './request/uploads.ts'
import type { Services } from './route.ts'

/** The parts of a whole server that an extension may use. */
export interface ServerParts {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly shutdown: GracefulShutdown
  readonly isIdle: IsIdle
  readonly uploads: UploadLimits
  readonly bodies: BodyLimits
  /** Whether responses may be sent before Fastify sees the request: not where each request is counted or traced. */
  readonly hasFastPath: boolean
}

/** What a server gives each of its further parts. An application that registers such a part itself gives nothing. */
export interface PartOptions {
  readonly shutdown?: GracefulShutdown
  /** Shared with the API, so that their memory does not add up. */
  readonly uploads?: UploadLimits
  readonly bodies?: BodyLimits
}

/**
 * Extends an API before its routes are added: adds hooks, and returns the services that the routes call. The caches are extensions.
 * `server` is undefined if the API is part of another application.
 */
export type Extension = (app: FastifyInstance, services: Services, server?: ServerParts) => Services
