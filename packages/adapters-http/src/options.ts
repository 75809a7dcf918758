import type { Policy, Ports } from '@almoner/domain'
import type { Logger } from 'pino'

/** How many requests a client may make in how long. */
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
  /** The folder of stored images, served under `/static/media/`; those in `portfolio/` in it under `/static/portfolio/`. */
  readonly mediaFolder: string
  /** The version that the OpenAPI document carries (I2). */
  readonly version: string
  /** A general limit by client (A8); none when absent. */
  readonly rateLimit?: RateLimit | undefined
  /** Addresses or networks of proxies whose `X-Forwarded-For` is believed; none when absent. */
  readonly trustProxy?: ReadonlyArray<string> | undefined
  /** Origins whose pages may call the API; none when absent. */
  readonly corsOrigins?: ReadonlyArray<string> | undefined
  /** Whether `/metrics` is served here (I3). */
  readonly metrics: boolean
  /**
   * Resolves when the service can do its work, with what it cannot do meanwhile, in short words that anybody may read; rejects with
   * the reason when it can do none (`/health/ready`).
   */
  readonly ready: () => Promise<ReadonlyArray<string>>
}
