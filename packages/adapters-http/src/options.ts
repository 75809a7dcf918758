import type { Policy, Ports } from '@almoner/domain'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { MediaSource } from './images/source.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { KeepingOptions } from './plugins/response-cache/generations.ts'

/** How many requests of one process a client may make in how long. */
export interface RateLimit {
  readonly max: number
  readonly milliseconds: number
}

/** What a server is made of. */
export interface ServerOptions {
  readonly ports: Ports
  readonly policy: Policy
  /** The address of the service for the world, without a slash at its end; asked for with each answer that needs it. */
  readonly baseUrl: () => string
  readonly logger: Logger
  /** Where the images come from that are served under `/static/media/` and `/static/portfolio/`. */
  readonly media: MediaSource
  /** The version that the OpenAPI document carries (I2). */
  readonly version: string
  /** A general limit by client (A8); none when absent. */
  readonly rateLimit?: RateLimit | undefined
  /** How long one turn of the event loop may answer requests, in milliseconds, before more are refused with 503; for ever when absent. */
  readonly maxDelay?: number | undefined
  /** Keeps answers in memory; each is made anew when absent. */
  readonly keep?: KeepingOptions | undefined
  /** Addresses or networks of proxies whose `X-Forwarded-For` is believed; none when absent. */
  readonly trustProxy?: ReadonlyArray<string> | undefined
  /** Origins whose pages may call the API; none when absent. */
  readonly corsOrigins?: ReadonlyArray<string> | undefined
  /** Has requests traced; called before anything else is added to the application. Then each request goes through Fastify. */
  readonly trace?: ((app: FastifyInstance) => Promise<void>) | undefined
  /** Whether `/metrics` is served here (I3). */
  readonly metrics: boolean
  /** What the server's figures are added to, where others add theirs; its own when absent. */
  readonly measures?: Metrics | undefined
  /** Reads the metrics that `/metrics` shows, where there are several processes; those of this one when absent. */
  readonly readMetrics?: (() => Promise<string>) | undefined
  /**
   * Resolves when the service can do its work, with what it cannot do meanwhile, in short words that anybody may read; rejects with
   * the reason when it can do none (`/health/ready`).
   */
  readonly ready: () => Promise<ReadonlyArray<string>>
}
