import type { AddOperation, ServerOptions } from '@almoner/adapters-http'

/** Traces of requests, and of the database operations for them. */
export interface Tracing {
  /** Traces the requests of an application. Comes before all other plugins. */
  readonly watch: NonNullable<ServerOptions['trace']>
  /** Adds a database operation to the trace of its request. */
  readonly database: AddOperation
  /** Sends the remaining spans, within two seconds. */
  readonly close: () => Promise<void>
}
